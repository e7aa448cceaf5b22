// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/own.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/step_list.hpp"
#include "topology/places.hpp"

namespace muster::checkers {

/// A group whose members' NICs pass step lists (docs/systems/nic-engine.md), or chain remote writes
/// by them (docs/systems/nic-events.md).
struct NicGroup {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;      ///< ascending
  std::vector<std::vector<nic::Step>> lists;  ///< by member
  nic::ListForm form = nic::ListForm::kList;
  bool point_to_point = false;  ///< steps are DATA, not STEP
};

/// The meaning of NIC barriers, seen on the channels of the nodes, and what the run tells of its
/// members: a member arrives and is released once per barrier, in turn, and is released only after
/// all have arrived. On the channels, for each group:
/// - packets are whole, with a good CRC (faults come behind the channels; after a loss link ends
///   may have cut short what comes to a node), from the node whose channel it is, between members;
/// - a step that a node sends is in its list and of a barrier that it has arrived at, and for each
///   wait before it in the list the peer's step of that barrier has come to the node before, at
///   least once, undamaged or not;
/// - it names the entry, or the event, that the peer's wait belongs to; of events, a node sends
/// each
///   step once in a barrier, and each comes once;
/// - a member is released only when that holds for all its waits.
/// "Before" and "after" mean in an earlier and a later cycle, or, for what the run tells, not later
/// and not earlier. Numbers of barriers are told apart as far as they are at most 127 apart.
class NicBarriers : public LinkChecker {
 public:
  NicBarriers(const Subject& subject, const std::vector<NicGroup>& groups);

  Sees sees() const override {
    const bool any = !groups_.empty();
    return {.heads = any, .bodies = any, .data = false, .channels = Sees::Channels::kOfNodes};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (!groups_.empty() && event.channel >= first_node_channel_ && !event.flit.sync())
      pass(cycle, event);
  }
  void lose(std::uint64_t cycle, const Loss& loss) override;
  /// From the run, `member` being a place in the group's list.
  void arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);

 private:
  static constexpr std::uint32_t kNone = topology::Places::kNone;
  struct Member {
    std::uint64_t begun = 0, left = 0;  ///< barriers
    std::vector<std::uint64_t> come;    ///< by step: barriers whose step has come, at a wait
    std::vector<bool> early;            ///< by step: that of the next barrier has come as well
    std::vector<std::uint64_t> gone;    ///< by step: barriers whose step has been sent
  };
  struct State {
    NicGroup group;
    std::vector<Member> members;
    topology::Places places;
    std::uint64_t slowest = 0;  ///< barriers that all have arrived at
  };
  void pass(std::uint64_t cycle, const core::FlitEvent& event);
  void judge(std::uint64_t cycle, core::ChannelId channel, std::uint32_t node, bool leaves,
             const nic::NicMessage& message);
  void sent(std::uint64_t cycle, core::ChannelId channel, State& state,
            const nic::NicMessage& message);
  void come(std::uint64_t cycle, core::ChannelId channel, State& state,
            const nic::NicMessage& message);
  static std::uint32_t step_with(const State& state, std::uint32_t member, topology::NodeId peer,
                                 bool send);

  core::ChannelId first_node_channel_;
  std::vector<nic::NicAssembly> passing_;  ///< by node channel and virtual channel
  std::vector<State> groups_;
  bool losses_ = false;  ///< there have been some
};

}  // namespace muster::checkers

namespace muster::nic {

/// What checkers know of the groups of a run with NIC barriers.
struct Checked : run::CheckedGroups {
  std::vector<checkers::NicGroup> groups;
};

/// Adds the checker of barriers by NICs.
void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups);

}  // namespace muster::nic
