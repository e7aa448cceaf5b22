// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "systems/packets/checkers/barrier_packets.hpp"

namespace muster::checkers {

/// A barrier group whose members combine, multicast and acknowledge by packets along a tree of
/// members (docs/systems/preempting-switches.md, Baselines).
struct PacketTree {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  std::vector<std::uint32_t> parent;  ///< by place among the members; the root's is itself
};

/// The meaning of such a barrier, seen on the channels of the nodes only. On every edge and in
/// every barrier one packet of each phase, in this order, sent once and received once:
/// - the arrival goes up after those of all children of the sender have been received, and after
///   its acknowledgement of the barrier before has been sent;
/// - the release goes down after the sender's own, and the root's after the arrivals of all its
///   children and their acknowledgements of the barrier before;
/// - the acknowledgement goes up after the sender's release and those of all its children;
/// - an empty network owes none, but to a group that has lost a member or a way of its packets.
/// So no member is released before all have arrived, and no barrier begins before the one before
/// has ended everywhere. "After" means in a later cycle.
class PacketTrees : public LinkChecker {
 public:
  /// Throws InternalError if two groups have one identifier.
  PacketTrees(const Subject& subject, const std::vector<PacketTree>& groups);

  Sees sees() const override {
    return {.heads = true, .bodies = true, .data = false, .channels = Sees::Channels::kOfNodes};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void recovered() override { packets_.recovered(); }
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  enum Phase : std::uint32_t { kUp, kDown, kAck };
  /// Of the edge to the parent: packets sent and received by phase, the cycle of the last received.
  struct Edge {
    std::uint32_t sent[3] = {}, received[3] = {};
    std::uint64_t since[3] = {};
  };
  struct State {
    PacketTree group;
    std::vector<Edge> edges;  ///< by place; the root's stays 0
    std::vector<std::vector<std::uint32_t>> children;
    std::vector<std::uint32_t> member_of;  ///< by node, or kNone
    bool bereft = false;                   ///< packets may be lost
  };
  void judge(std::uint64_t cycle, core::ChannelId channel, std::uint32_t node, bool leaves,
             const fabric::BarrierPacket& packet);
  bool may_send(const State& state, std::uint32_t who, Phase phase, std::uint32_t edge,
                std::uint64_t cycle) const;

  BarrierPackets packets_;
  std::vector<State> groups_;
  std::vector<std::uint32_t> group_of_;  ///< by group identifier
};

}  // namespace muster::checkers
