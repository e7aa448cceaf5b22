// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "topology/places.hpp"

namespace muster::checkers {

/// The packets of barriers on the channels of the nodes, put together from their flits. Other
/// checkers have seen that packets are whole, except for those that a cut mark ends after a loss,
/// which are left out.
class BarrierPackets : public LinkChecker {
 public:
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void recovered() override {
    std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
  }

 protected:
  BarrierPackets(const char* name, const Subject& subject)
      : LinkChecker(name, subject),
        first_(subject.layout.into_switch(0)),
        passing_(std::size_t{2} * subject.graph.nodes() * subject.vcs),
        group_of_(std::size_t{1} << subject.formats.gid_width(), kNone) {}

  /// The next group has this identifier. Throws InternalError if another has it.
  void add_group(std::uint32_t gid);
  /// The last flit of a packet of a group leaves or reaches a node; of a worm once for each of its
  /// addresses.
  virtual void judge(std::uint64_t cycle, core::ChannelId channel, std::uint32_t node, bool leaves,
                     const fabric::BarrierPacket& packet, std::uint32_t group) = 0;
  /// Packets between the two may be lost with what is lost.
  bool may_lose(std::uint32_t a, std::uint32_t b) const;

  static constexpr std::uint32_t kNone = topology::Places::kNone;

 private:
  core::ChannelId first_;
  std::vector<Loss> losses_;                      ///< not recovered
  std::vector<std::vector<core::Flit>> passing_;  ///< by node channel and virtual channel
  std::vector<std::uint32_t> group_of_;           ///< by group identifier
  std::uint32_t groups_ = 0;
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
class PacketBarriers : public BarrierPackets {
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
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
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
    std::vector<Member> members;  ///< as in the group; the root node's stays 0
    topology::Places places;
    Sum arrivals, announcements;  ///< sent; received by the root node
    bool packets_may_be_lost = false;
    std::uint64_t others() const { return members.size() - 1; }
  };
  void judge(std::uint64_t cycle, core::ChannelId channel, std::uint32_t node, bool leaves,
             const fabric::BarrierPacket& packet, std::uint32_t group) override;
  void arrival(std::uint64_t cycle, core::ChannelId channel, bool leaves, State& state,
               Member& member);
  void release(std::uint64_t cycle, core::ChannelId channel, bool leaves, State& state,
               Member& member);

  std::vector<State> groups_;
};

/// What has passed on an edge of a tree, whose messages are arrivals, releases and
/// acknowledgements.
struct PhasedEdge {
  enum Phase : std::uint32_t { kUp, kDown, kAck, kPhases };
  static constexpr const char* kNames[] = {"arrival", "release", "acknowledgement"};
  /// How often something has happened, and in which cycle the last time.
  struct Count {
    std::uint32_t n = 0;
    std::uint64_t last = 0;
    /// It had happened so often before this cycle.
    bool before(std::uint32_t times, std::uint64_t cycle) const {
      return n > times || (n == times && (times == 0 || last < cycle));
    }
    void add(std::uint64_t cycle) {
      ++n;
      last = cycle;
    }
  };
  Count sent[kPhases], received[kPhases];

  static Phase phase(bool arrival, bool release) { return arrival ? kUp : release ? kDown : kAck; }
  /// As many of each have been sent and received.
  bool even() const;
  /// How many of each have, of a group in an empty network.
  std::string text(std::uint32_t gid) const;
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
class PacketTrees : public BarrierPackets {
 public:
  /// Throws InternalError if two groups have one identifier.
  PacketTrees(const Subject& subject, const std::vector<PacketTree>& groups);

  Sees sees() const override {
    return {.heads = true, .bodies = true, .data = false, .channels = Sees::Channels::kOfNodes};
  }
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  using Phase = PhasedEdge::Phase;
  static constexpr Phase kUp = Phase::kUp, kDown = Phase::kDown, kAck = Phase::kAck;
  struct State {
    PacketTree group;
    std::vector<PhasedEdge> edges;  ///< to the parent, by place; the root's stays empty
    std::vector<std::vector<std::uint32_t>> children;
    topology::Places places;
    bool packets_may_be_lost = false;
  };
  void judge(std::uint64_t cycle, core::ChannelId channel, std::uint32_t node, bool leaves,
             const fabric::BarrierPacket& packet, std::uint32_t group) override;
  bool may_send(const State& state, std::uint32_t who, Phase phase, std::uint32_t edge,
                std::uint64_t cycle) const;

  std::vector<State> groups_;
};

}  // namespace muster::checkers
