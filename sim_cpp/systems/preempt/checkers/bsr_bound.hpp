// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/own.hpp"
#include "systems/preempt/checkers/bsr_messages.hpp"

namespace muster::checkers {

/// The bound of a barrier on preempting switches (docs/systems/bsr-tree.md). Each barrier message
/// is followed from link to link. From the time when a switch has all of it, it may lose W cycles
/// to data and one for each other port in the barrier unit, beyond the time when barrier messages
/// before it, at its output, in the origin, or in the next barrier buffer, are out of its way. What
/// a message does not use of this is its slack; a release and the slack of all messages that led to
/// it are the bound of a barrier. Does nothing without a bound W (switch III) or behind delay
/// pipes.
class BsrBound : public LinkChecker {
 public:
  BsrBound(const Subject& subject, const std::vector<BsrGroup>& groups,
           const std::optional<HopWait>& wait);
  Sees sees() const override {
    const bool any = wait_.has_value();
    return {.sync = any, .credits = any};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (wait_ && event.flit.kind != core::Flit::kControl && fabric::passes_data(event.flit))
      pass(cycle, event);
  }
  void credit(std::uint64_t cycle, const core::CreditEvent& event) override;
  /// Messages under way may have read masks of these routes too. They outlive the last cycle.
  void allow(const topology::Routes& older) { older_ = &older; }
  std::optional<std::uint64_t> slack(std::uint32_t group, std::uint32_t barrier) const override;

 private:
  /// Releases of a barrier. Cycles.
  struct Releases {
    std::uint64_t last = 0;    ///< the last of them
    std::uint64_t latest = 0;  ///< the bound of the last
  };
  /// When a message could be on the next wires if only the message itself took time, and how much
  /// later it could have been.
  struct Time {
    std::uint64_t ready = 0, slack = 0;
  };
  struct Passage {
    preempt::BsrMessage message;
    Time time;
    core::ChannelId from = 0;  ///< it has come in by this channel
    bool replaced = false;     ///< another has, so it must have gone or been taken
  };
  struct Line {
    preempt::BsrAssembly passing;
    std::uint64_t first = 0;         ///< cycle of the first flit of the message
    std::uint64_t room_since = 0;    ///< it can be here: the barrier buffer was not free before
    std::uint64_t output_since = 0;  ///< it can leave: the message before and the gap are over
  };
  /// Of a group at a switch.
  struct GroupAtSwitch {
    Time up, down;                               ///< of the last message taken
    Time all;                                    ///< center: of the one that completed the barrier
    std::vector<core::ChannelId> served;         ///< center: locals since then
    std::vector<std::uint32_t> served_children;  ///< center: addresses since then
  };
  struct Group {
    BsrGroup group;
    std::map<topology::SwitchId, GroupAtSwitch> switches;
    std::vector<std::uint32_t> released;  ///< by node
    std::vector<Releases> releases;       ///< by barrier
  };
  void pass(std::uint64_t cycle, const core::FlitEvent& event);
  /// Gives the slack with which it goes on.
  std::uint64_t out(std::uint64_t cycle, core::ChannelId channel, const preempt::BsrMessage& m);
  void into_node(std::uint64_t cycle, std::uint32_t node, const preempt::BsrMessage& m,
                 std::uint64_t slack);
  void into_switch(Passage passage);
  Time own(topology::SwitchId s, core::ChannelId channel, const preempt::BsrMessage& m);
  Time forwarded(std::uint64_t cycle, core::ChannelId channel, const preempt::BsrMessage& m);
  std::uint64_t output_since(topology::SwitchId s, core::ChannelId channel,
                             const preempt::BsrMessage& m) const;
  std::uint32_t address(topology::SwitchId s) const { return subject_.graph.nodes() + s; }

  std::optional<HopWait> wait_;
  const topology::Routes* older_ = nullptr;
  std::vector<Line> lines_;                            ///< by channel
  std::vector<std::uint32_t> inputs_;                  ///< by switch: connected ones
  std::vector<std::vector<Passage>> waiting_;          ///< by switch
  std::vector<std::vector<core::ChannelId>> outputs_;  ///< by switch and port
  std::vector<std::uint64_t> origin_since_;            ///< by switch
  std::vector<Group> groups_;
};

}  // namespace muster::checkers

namespace muster::preempt {

/// What checkers know of the groups of a run with preempting switches.
struct Checked : run::CheckedGroups {
  std::vector<checkers::BsrGroup> groups;
};

/// Adds the checkers of barriers whose messages build their own tree.
void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups);

}  // namespace muster::preempt
