// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "systems/packets/checkers/packet_barriers.hpp"

namespace muster::checkers {

/// A barrier group whose switches combine, multicast and acknowledge (docs/systems/unit-switch.md).
struct UnitGroup {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  std::vector<topology::SwitchId> switches;  ///< those with members
  std::vector<std::uint32_t> parent;         ///< by place among them; the root's is itself
};

/// The meaning of such a barrier, as PhasedTree has it, seen on the links only. Its vertices are
/// the switches and, as leaves that do not acknowledge, the members; a member is released only
/// after all have arrived. A message leaves the switch that sends it once and comes to the other
/// once. No message is on its way for longer than a bound; an empty network owes none.
class UnitTrees : public BarrierPackets {
 public:
  /// `bound`: cycles from the first link of a message to the last. Throws InternalError if two
  /// groups have one identifier.
  UnitTrees(const Subject& subject, const std::vector<UnitGroup>& groups, std::uint64_t bound);

  Sees sees() const override {
    return {.heads = true, .bodies = true, .data = false, .cycles = true};
  }
  /// After all flits of the cycle.
  void end_cycle(std::uint64_t cycle) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  using Phase = PhasedTree::Phase;
  struct State {
    UnitGroup group;
    PhasedTree tree;                                  ///< by place; members behind the switches
    std::map<std::uint32_t, std::uint32_t> place_of;  ///< by address
    std::vector<PhasedTree::Count> arrivals;          ///< by barrier: of all members
  };
  struct Message {
    std::uint32_t group, child;  ///< place
    Phase phase;
    bool operator<(const Message& o) const {
      return std::tie(group, child, phase) < std::tie(o.group, o.child, o.phase);
    }
  };
  void judge(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& packet,
             std::uint32_t group) override;
  void from_node(std::uint64_t cycle, core::ChannelId channel, State& state,
                 const fabric::BarrierPacket& p);
  void into_node(std::uint64_t cycle, core::ChannelId channel, State& state,
                 const fabric::BarrierPacket& p);
  void on_edge(std::uint64_t cycle, core::ChannelId channel, std::uint32_t group,
               const fabric::BarrierPacket& p);

  std::uint64_t bound_;
  std::vector<State> groups_;
  std::map<Message, std::uint64_t> under_way_;  ///< cycle on the first link
};

}  // namespace muster::checkers
