// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/own.hpp"
#include "systems/packets/checkers/packet_barriers.hpp"

namespace muster::checkers {

/// Multidestination worms (docs/systems/baselines.md), all of them in the worm channel:
/// - a worm has 1 to kWormAddresses address flits, then two flits of payload;
/// - each address flit that leaves a switch has come into it, and leaves once, by the deterministic
///   port of its destination;
/// - every node that a worm names gets its own address and the payload as it was sent, once, and in
///   order for each source; no node gets anything else; nothing is missing from an empty network;
/// - no copy is under way for longer than a bound.
class Worms : public LinkChecker {
 public:
  /// `bound`: cycles from the tail's injection to the ejection of the last copy.
  Worms(const Subject& subject, std::uint64_t bound);

  Sees sees() const override {
    return {.sync = true,
            .heads = true,
            .bodies = true,
            .virtual_channels = Sees::VirtualChannels::kWorms,
            .cycles = true};
  }
  /// REQUIRES: a flit of the worm channel.
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// After all flits of the cycle: what came in it can not leave in it.
  void end_cycle(std::uint64_t cycle) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  /// A worm, or what is left of it, passing over a channel.
  struct Passing {
    std::vector<std::uint32_t> addresses;
    std::vector<core::Flit> payload;
  };
  /// A copy of a payload on its way to a node.
  struct Copy {
    std::uint64_t source_and_stream, barrier;  ///< the two flits
    std::uint64_t injected;
  };
  using Flow = std::pair<std::uint32_t, std::uint32_t>;  ///< source, destination

  void address(std::uint64_t cycle, const core::FlitEvent& event);
  void inject(std::uint64_t cycle, core::ChannelId channel, const Passing& worm,
              std::uint32_t node);
  void eject(std::uint64_t cycle, core::ChannelId channel, const Passing& worm, std::uint32_t node);

  std::uint64_t bound_;
  std::vector<Passing> passing_;                                       ///< by channel
  std::vector<std::multiset<std::uint32_t>> inside_;                   ///< by switch: destinations
  std::vector<std::pair<topology::SwitchId, std::uint32_t>> entered_;  ///< in this cycle
  std::map<Flow, std::deque<Copy>> under_way_;
  std::multiset<std::uint64_t> injected_;  ///< cycles of all that are under way
};

}  // namespace muster::checkers

namespace muster::packets {

/// What checkers know of the groups of a run with barriers by packets.
struct Checked : run::CheckedGroups {
  checkers::PacketKind kind = checkers::PacketKind::kStars;  ///< of all groups
  std::vector<checkers::PacketTree> groups;
};

/// Adds the checkers of barriers by packets and of worms.
void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups);

}  // namespace muster::packets
