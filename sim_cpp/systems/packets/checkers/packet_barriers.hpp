// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "systems/packets/checkers/barrier_packets.hpp"

namespace muster::checkers {

/// A barrier group whose members tell the root node that they have arrived, and are told by it that
/// all have, by packets between nodes (docs/systems/baselines.md).
struct PacketGroup {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  topology::NodeId root_node = 0;  ///< one of them
};

/// The meaning of a barrier of packets, seen on the channels of the nodes only. A member arrives
/// with the tail of the arrival packet that it sends and is released by the tail of the release
/// packet that reaches it; the root node needs no packet of its own. For each group:
/// - a member arrives once per barrier, and is released once, after all have arrived and after the
///   root node has sent it this release;
/// - the root node sends each other member one release per barrier, after it has received an
///   arrival from every one of them;
/// - packets name the barrier that they are of, and go between the root node and a member;
/// - an empty network owes none, but to a group that has lost a member or a way of its packets.
/// "After" means in a later cycle.
class PacketBarriers : public LinkChecker {
 public:
  /// Throws InternalError if two groups have one identifier or a root node is no member.
  PacketBarriers(const Subject& subject, const std::vector<PacketGroup>& groups);

  Sees sees() const override {
    return {.heads = true,
            .bodies = true,
            .data = false,
            .channels = Sees::Channels::kOfNodes,
            .virtual_channels = Sees::VirtualChannels::kBoth};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void recovered() override { packets_.recovered(); }
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// What has been seen of a member that is not the root node, in barriers.
  struct Member {
    std::uint64_t arrived = 0, announced = 0;  ///< arrival sent; received by the root node
    std::uint64_t sent = 0, released = 0;      ///< release sent by the root node; received
  };
  /// Packets of all members together, in the order of the barriers: no member is at the next but
  /// one before all have left the one before.
  struct Sum {
    std::uint64_t packets = 0;
    std::uint64_t barriers = 0;    ///< for which all are there
    std::uint64_t since = kNever;  ///< cycle of the packet that completed the last of them
    void add(std::uint64_t cycle, std::uint64_t of_barrier) {
      if (++packets % of_barrier != 0) return;
      ++barriers;
      since = cycle;
    }
    /// All packets of a barrier came in earlier cycles.
    bool before(std::uint64_t cycle, std::uint64_t barrier) const {
      return barrier + 1 < barriers || (barrier + 1 == barriers && since < cycle);
    }
  };
  struct State {
    PacketGroup group;
    std::vector<Member> members;           ///< as in the group; the root node's stays 0
    std::vector<std::uint32_t> member_of;  ///< by node, or kNone
    Sum arrivals, announcements;           ///< sent; received by the root node
    bool bereft = false;                   ///< packets may be lost
    std::uint64_t others() const { return members.size() - 1; }
  };
  void judge(std::uint64_t cycle, core::ChannelId channel, std::uint32_t node, bool leaves,
             const fabric::BarrierPacket& packet);
  void arrival(std::uint64_t cycle, core::ChannelId channel, bool leaves, State& state,
               Member& member);
  void release(std::uint64_t cycle, core::ChannelId channel, bool leaves, State& state,
               Member& member);

  BarrierPackets packets_;
  std::vector<State> groups_;
  std::vector<std::uint32_t> group_of_;  ///< by group identifier
};

}  // namespace muster::checkers
