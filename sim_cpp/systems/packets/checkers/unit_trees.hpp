// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "systems/packets/checkers/packet_barriers.hpp"

namespace muster::checkers {

/// A barrier group whose switches combine, multicast and acknowledge (docs/systems/unit-switch.md).
struct UnitGroup {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  std::vector<topology::SwitchId> switches;  ///< those with members
  std::vector<std::uint32_t> parent;         ///< by place among them; the root's is itself
};

/// The meaning of such a barrier, seen on the links only.
/// - A member arrives once in each barrier, after its release from the one before, and is released
///   once, after all members have arrived.
/// - On every edge of the tree and in every barrier there is one message of each phase, which
///   leaves the switch that sends it once and comes to the other once: an arrival after those of
///   all children and locals and after the acknowledgement of the barrier before, a release after
///   the sender's own (the root's after all arrivals), an acknowledgement after the release of all
///   locals and after those of all children.
/// - No message is on its way for longer than a bound; an empty network owes none.
/// "After" means in a later cycle.
class UnitTrees : public LinkChecker {
 public:
  /// `bound`: cycles from the first link of a message to the last. Throws InternalError if two
  /// groups have one identifier.
  UnitTrees(const Subject& subject, const std::vector<UnitGroup>& groups, std::uint64_t bound);

  Sees sees() const override {
    return {.heads = true, .bodies = true, .data = false, .cycles = true};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// After all flits of the cycle.
  void end_cycle(std::uint64_t cycle) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Phase = PhasedEdge::Phase;
  using Count = PhasedEdge::Count;
  static constexpr Phase kUp = Phase::kUp, kDown = Phase::kDown, kAck = Phase::kAck;
  struct Member {
    Count arrived, released;
  };
  struct State {
    UnitGroup group;
    std::vector<Member> members;
    std::vector<PhasedEdge> edges;                               ///< to the parent, by place
    std::vector<std::vector<std::uint32_t>> children;            ///< places, by place
    std::vector<std::vector<std::uint32_t>> locals;              ///< members, by place
    std::map<std::uint32_t, std::uint32_t> member_of, place_of;  ///< by node, by switch
    std::vector<Count> arrivals;                                 ///< by barrier: of all members
  };
  struct Message {
    std::uint32_t group, child;  ///< place
    Phase phase;
    bool operator<(const Message& o) const {
      return std::tie(group, child, phase) < std::tie(o.group, o.child, o.phase);
    }
  };
  void packet(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& p);
  void from_node(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& p);
  void into_node(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& p);
  void on_edge(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& p);
  bool may_send(const State& state, std::uint32_t place, Phase phase, std::uint32_t barrier,
                std::uint64_t cycle) const;
  bool may_release(const State& state, std::uint32_t place, std::uint32_t barrier,
                   std::uint64_t cycle) const;
  bool all_there(const State& state, std::uint32_t place, std::uint32_t barrier,
                 std::uint64_t cycle) const;
  State& state_of(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& p);
  bool is_number(std::uint32_t barrier, const fabric::BarrierPacket& p) const {
    return subject_.formats.barrier_near(barrier, p.number) == barrier;
  }

  std::uint64_t bound_;
  std::vector<std::vector<core::Flit>> passing_;  ///< by channel and virtual channel
  std::vector<State> groups_;
  std::vector<std::uint32_t> group_of_;         ///< by identifier
  std::map<Message, std::uint64_t> under_way_;  ///< cycle on the first link
};

}  // namespace muster::checkers
