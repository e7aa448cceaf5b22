// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"
#include "topology/places.hpp"

namespace muster::checkers {

/// A barrier group whose messages go along a tree by packets.
struct PacketTree {
  std::uint32_t gid = 0;
  /// By vertex: a node, or a switch as destination of packets, behind the nodes.
  std::vector<std::uint32_t> addresses = {};
  std::vector<std::uint32_t> parent = {};  ///< by vertex; the root's is itself
  std::uint32_t acks = 0;                  ///< so many vertices, the first, send acknowledgements
};

/// Who sends the packets of barriers.
enum class PacketKind : std::uint8_t {
  kStars,  ///< members and a root node, without acknowledgements (docs/systems/baselines.md)
  kTrees,  ///< members along a tree (docs/systems/baselines.md, Tree)
  kUnits,  ///< switches with members along a tree, members as leaves (docs/systems/baselines.md)
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

  explicit PhasedTree(const PacketTree& planned);
  bool is_edge(std::uint32_t child, std::uint32_t parent) const {
    return child < vertices.size() && child != parent && vertices[child].parent == parent;
  }
  /// A vertex may send its message of a phase and barrier.
  bool may_send(std::uint32_t who, Phase phase, std::uint64_t barrier, std::uint64_t cycle) const;
  void receive(std::uint32_t child, Phase phase, std::uint64_t cycle);
  /// As many of each phase have been sent and received on the edge to the parent.
  bool even(std::uint32_t child) const;
};

/// The meaning of such barriers, as PhasedTree has it, seen on the links only. Besides, a member of
/// a star or of units is released only after all have arrived. A packet leaves the vertex that
/// sends it once, comes to the other once, and names its barrier. Of stars and trees the channels
/// of nodes are seen; between units no packet is on its way for longer than a bound. An empty
/// network owes no packet, but to a group that has lost a member or a way of its packets.
///
/// Other checkers have seen that packets are whole, except for those that a cut mark ends after a
/// loss, which are left out.
class PacketBarriers : public LinkChecker {
 public:
  /// `bound`: cycles from the first link of a message between units to the last. Throws
  /// InternalError if two groups have one identifier.
  PacketBarriers(const Subject& subject, PacketKind kind, const std::vector<PacketTree>& groups,
                 std::uint64_t bound = 0);

  Sees sees() const override;
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// After all flits of the cycle, of units.
  void end_cycle(std::uint64_t cycle) override;
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void recovered() override {
    std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
  }
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  static constexpr std::uint32_t kNone = topology::Places::kNone;
  using Phase = PhasedTree::Phase;
  struct State {
    PacketTree group;
    PhasedTree tree;
    topology::Places places;     ///< vertices by address
    std::uint32_t to_arrive;     ///< members that send an arrival
    std::uint64_t arrivals = 0;  ///< sent by them
    PhasedTree::Count all = {};  ///< barriers at which all of them have arrived
    bool packets_may_be_lost = false;
  };
  /// The last flit of a packet of a group is on a channel; of a worm once for each of its
  /// addresses.
  void judge(std::uint64_t cycle, core::ChannelId channel, const fabric::BarrierPacket& packet,
             State& state);
  bool is_node(std::uint32_t address) const { return address < subject_.graph.nodes(); }
  std::string name(std::uint32_t address) const;
  /// Packets between the two may be lost with what is lost.
  bool may_lose(std::uint32_t a, std::uint32_t b) const;

  PacketKind kind_;
  std::uint64_t bound_;
  core::ChannelId first_;  ///< channel that is seen
  std::vector<State> groups_;
  std::vector<std::uint32_t> group_of_;           ///< by group identifier
  std::vector<std::vector<core::Flit>> passing_;  ///< by channel and virtual channel
  std::vector<Loss> losses_;                      ///< not recovered
};

}  // namespace muster::checkers
