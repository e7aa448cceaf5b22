// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "topology/route_walk.hpp"

namespace muster::checkers {

/// The packets of barriers on the channels of the nodes, put together from their flits. Other
/// checkers have seen that packets are whole, except for those that a cut mark ends after a loss,
/// which are left out.
class BarrierPackets {
 public:
  explicit BarrierPackets(const Subject& subject)
      : subject_(subject),
        first_(subject.layout.into_switch(0)),
        passing_(std::size_t{2} * subject.graph.nodes() * subject.vcs) {}

  /// Calls judge(node, leaves, packet) when the last flit of a packet leaves or reaches a node; for
  /// a worm once for each of its addresses. False for a packet of a length that none has.
  template <class Judge>
  bool pass(const core::FlitEvent& event, Judge&& judge) {
    if (event.channel < first_ || event.flit.sync()) return true;
    const std::uint32_t place = event.channel - first_;
    std::vector<core::Flit>& flits = passing_[place * subject_.vcs + event.flit.vc];
    if (event.flit.head()) {
      flits.clear();
      if (!fabric::is_barrier_opcode(fabric::Formats::opcode(event.flit))) return true;
    } else if (flits.empty()) {
      return true;  // of a packet of data
    }
    flits.push_back(event.flit);
    if (!event.flit.tail()) return true;
    const std::vector<core::Flit> all = std::move(flits);
    flits.clear();
    if (event.flit.cut() && !losses_.empty()) return true;
    const bool worm = fabric::Formats::opcode(all.front()) == fabric::kOpcodeWorm;
    const std::size_t size = all.size();
    if (size < fabric::kBarrierPacketFlits || (!worm && size > fabric::kBarrierPacketFlits))
      return false;
    for (std::size_t address = 0; address + 2 < size; ++address) {
      const std::array<core::Flit, 3> one{all[address], all[size - 2], all[size - 1]};
      judge(place / 2, place % 2 == 0, subject_.formats.barrier_packet(one));
    }
    return true;
  }

  void lose(const Loss& loss) {
    losses_.push_back(loss);
    // What the block was sending has no more flits.
    const auto& channels = subject_.layout.channels();
    for (std::uint32_t i = 0; i < passing_.size(); ++i) {
      if (loss.is(channels[first_ + i / subject_.vcs].from)) passing_[i].clear();
    }
  }
  void recovered() {
    std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
  }
  /// Packets between the two may be lost with what is lost.
  bool may_lose(std::uint32_t a, std::uint32_t b) const {
    if (losses_.empty()) return false;
    std::vector<topology::PortRef> ports;
    topology::add_ways(subject_.graph, subject_.routes, a, b, ports);
    return std::any_of(losses_.begin(), losses_.end(), [&](const Loss& loss) {
      if (loss.node) return loss.id == a || loss.id == b;
      return std::any_of(ports.begin(), ports.end(), [&](const topology::PortRef& port) {
        return loss.at(subject_.layout, port);
      });
    });
  }

 private:
  Subject subject_;
  core::ChannelId first_;
  std::vector<Loss> losses_;                      ///< not recovered
  std::vector<std::vector<core::Flit>> passing_;  ///< by node channel and virtual channel
};

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
