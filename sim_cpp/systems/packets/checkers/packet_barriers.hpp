// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "topology/places.hpp"

namespace muster::checkers {

/// The packets of barriers on some channels, put together from their flits. Other checkers have
/// seen that packets are whole, except for those that a cut mark ends after a loss, which are left
/// out.
class BarrierPackets : public LinkChecker {
 public:
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void recovered() override {
    std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
  }

 protected:
  using IsOpcode = bool(std::uint8_t);
  /// Of packets with these opcodes on the channels from `first` on.
  BarrierPackets(const char* name, const Subject& subject, core::ChannelId first, IsOpcode* ours)
      : LinkChecker(name, subject),
        first_(first),
        ours_(ours),
        passing_((subject.layout.channels().size() - first) * subject.vcs),
        group_of_(std::size_t{1} << subject.formats.gid_width(), kNone) {}

  /// The next group has this identifier. Throws InternalError if another has it.
  void add_group(std::uint32_t gid);
  /// The last flit of a packet of a group is on a channel; of a worm once for each of its
  /// addresses.
  virtual void judge(std::uint64_t cycle, core::ChannelId channel,
                     const fabric::BarrierPacket& packet, std::uint32_t group) = 0;
  /// Packets between the two may be lost with what is lost.
  bool may_lose(std::uint32_t a, std::uint32_t b) const;
  /// It is of this barrier, as far as its number says.
  bool is_of(const fabric::BarrierPacket& packet, std::uint64_t barrier) const {
    return subject_.formats.barrier_near(barrier, packet.number) == barrier;
  }

  static constexpr std::uint32_t kNone = topology::Places::kNone;

 private:
  core::ChannelId first_;
  IsOpcode* ours_;
  std::vector<Loss> losses_;                      ///< not recovered
  std::vector<std::vector<core::Flit>> passing_;  ///< by channel and virtual channel
  std::vector<std::uint32_t> group_of_;           ///< by group identifier
  std::uint32_t groups_ = 0;
};

/// A barrier along a tree, as far as its messages have passed. On every edge and in every barrier
/// there is one message of each phase, in this order, sent once and received once:
/// - the arrival goes up after those of all children of the sender have been received, and after
///   the sender has ended the barrier before;
/// - the release goes down after the sender's own, and the root's after the arrivals of all its
///   children, which have ended the barrier before;
/// - the acknowledgement goes up after the sender's release, and when all its children have ended
///   the barrier.
/// A vertex ends a barrier with its acknowledgement or, if it sends none, with its release. So no
/// vertex is released before all have arrived. "After" means in a later cycle.
struct PhasedTree {
  enum Phase : std::uint32_t { kUp, kDown, kAck, kPhases };
  static constexpr const char* kNames[] = {"arrival", "release", "acknowledgement"};
  /// How often something has happened, and in which cycle the last time.
  struct Count {
    std::uint64_t n = 0;
    std::uint64_t last = 0;
    /// It had happened so often before this cycle.
    bool before(std::uint64_t times, std::uint64_t cycle) const {
      return n > times || (n == times && (times == 0 || last < cycle));
    }
    void add(std::uint64_t cycle) {
      ++n;
      last = cycle;
    }
  };
  struct Vertex {
    std::uint32_t parent = 0;  ///< the root's is itself
    bool acks = true;          ///< it acknowledges
    std::uint32_t children = 0;
    Count sent[kPhases], received[kPhases];  ///< on the edge to the parent; the root's stay 0
    /// Of all children: messages received, and barriers for which all are there. No child is at the
    /// next but one before all have ended the one before.
    std::uint64_t arrivals = 0, ends = 0;
    Count arrived, ended;
  };
  std::vector<Vertex> vertices;

  /// `parents`: by vertex.
  PhasedTree(const std::vector<std::uint32_t>& parents, bool acks);
  /// A vertex without children that sends no acknowledgement.
  void add_leaf(std::uint32_t parent);
  bool is_edge(std::uint32_t child, std::uint32_t parent) const {
    return child < vertices.size() && child != parent && vertices[child].parent == parent;
  }
  /// A vertex may send its message of a phase and barrier.
  bool may_send(std::uint32_t who, Phase phase, std::uint64_t barrier, std::uint64_t cycle) const;
  void receive(std::uint32_t child, Phase phase, std::uint64_t cycle);
  /// As many of each phase have been sent and received on the edge to the parent.
  bool even(std::uint32_t child) const;
  /// How many of each have, of a group in an empty network.
  std::string text(std::uint32_t child, std::uint32_t gid) const;
};

/// A barrier group whose members combine, multicast and acknowledge by packets along a tree of
/// members (docs/systems/preempting-switches.md, Baselines).
struct PacketTree {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  std::vector<std::uint32_t> parent;  ///< by place among the members; the root's is itself
};

/// The meaning of such a barrier, as PhasedTree has it, seen on the channels of the nodes only.
/// Packets name the barrier that they are of; an empty network owes none, but to a group that has
/// lost a member or a way of its packets.
class PacketTrees : public BarrierPackets {
 public:
  /// Throws InternalError if two groups have one identifier.
  PacketTrees(const Subject& subject, const std::vector<PacketTree>& groups)
      : PacketTrees("packet trees", subject, groups, true) {}

  Sees sees() const override {
    return {.heads = true, .bodies = true, .data = false, .channels = Sees::Channels::kOfNodes};
  }
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void finish(std::uint64_t cycle, bool drained) override;

 protected:
  PacketTrees(const char* name, const Subject& subject, const std::vector<PacketTree>& groups,
              bool acks);

 private:
  using Phase = PhasedTree::Phase;
  struct State {
    PacketTree group;
    PhasedTree tree;  ///< by place
    topology::Places places;
    PhasedTree::Count all;       ///< barriers at which all members but the root have arrived
    std::uint64_t arrivals = 0;  ///< sent, of all members
    bool packets_may_be_lost = false;
  };
  void judge(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& packet,
             std::uint32_t group) override;

  bool acks_;
  std::vector<State> groups_;
};

/// A barrier group whose members tell the root node that they have arrived, and are told by it that
/// all have, by packets between nodes (docs/systems/baselines.md).
struct PacketGroup {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  topology::NodeId root_node = 0;  ///< one of them
};

/// The meaning of a barrier of packets: that of PacketTrees, of a tree whose root has all others as
/// children, without acknowledgements. Besides, a member is released only after all have arrived.
class PacketBarriers : public PacketTrees {
 public:
  /// Throws InternalError if two groups have one identifier or a root node is no member.
  PacketBarriers(const Subject& subject, const std::vector<PacketGroup>& groups);

  Sees sees() const override {
    Sees sees = PacketTrees::sees();
    sees.virtual_channels = Sees::VirtualChannels::kBoth;
    return sees;
  }
};

}  // namespace muster::checkers
