// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "muster/fabric/checkers/link_checker.hpp"
#include "topology/places.hpp"
#include "topology/route_walk.hpp"

namespace muster::checkers {

/// A barrier group whose messages go along a tree by packets.
struct PacketTree {
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

  explicit PhasedTree(const PacketTree& planned) : vertices(planned.parent.size()) {
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      vertices[v].parent = planned.parent[v];
      vertices[v].acks = v < planned.acks;
      if (planned.parent[v] != v) ++vertices[planned.parent[v]].children;
    }
  }
  bool is_edge(std::uint32_t child, std::uint32_t parent) const {
    return child < vertices.size() && child != parent && vertices[child].parent == parent;
  }
  /// A vertex may send its message of a phase and barrier.
  bool may_send(std::uint32_t who, Phase phase, std::uint64_t barrier, std::uint64_t cycle) const {
    const Vertex& v = vertices[who];
    const bool all_arrived = v.children == 0 || v.arrived.before(barrier + 1, cycle);
    if (phase == kUp)
      return all_arrived &&
             (v.acks ? v.sent[kAck].n >= barrier : v.received[kDown].before(barrier, cycle));
    if (phase == kDown && v.parent == who) return all_arrived && v.ended.before(barrier, cycle);
    const bool all_ended = v.children == 0 || v.ended.before(barrier + 1, cycle);
    return v.received[kDown].before(barrier + 1, cycle) && (phase == kDown || all_ended);
  }
  void receive(std::uint32_t child, Phase phase, std::uint64_t cycle) {
    Vertex& v = vertices[child];
    Vertex& above = vertices[v.parent];
    v.received[phase].add(cycle);
    if (phase == kUp && ++above.arrivals % above.children == 0) above.arrived.add(cycle);
    if (phase == (v.acks ? kAck : kDown) && ++above.ends % above.children == 0)
      above.ended.add(cycle);
  }
  /// As many of each phase have been sent and received on the edge to the parent.
  bool even(std::uint32_t child) const {
    const Vertex& v = vertices[child];
    for (std::uint32_t phase = 0; phase < (v.acks ? kPhases : kAck); ++phase)
      if (v.sent[phase].n != v.sent[kUp].n || v.received[phase].n != v.sent[kUp].n) return false;
    return true;
  }
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
  using BarrierPacket = fabric::BarrierPacket;
  using ChannelId = core::ChannelId;

 public:
  /// `groups`: 0, 1, ... `bound`: cycles from the first link of a message between units to the
  /// last.
  PacketBarriers(const Subject& subject, PacketKind kind, const std::vector<PacketTree>& groups,
                 std::uint64_t bound = 0)
      : LinkChecker(kCheckers[static_cast<unsigned>(kind)], subject),
        kind_(kind),
        bound_(bound),
        first_(kind == PacketKind::kUnits ? 0 : subject.layout.into_switch(0)),
        passing_((subject.layout.channels().size() - first_) * subject.vcs) {
    for (const PacketTree& group : groups) {
      std::uint32_t to_arrive = 0;
      for (std::uint32_t v = 0; v < group.addresses.size(); ++v)
        to_arrive += is_node(group.addresses[v]) && group.parent[v] != v;
      groups_.push_back({group, PhasedTree(group), topology::Places(group.addresses), to_arrive});
    }
  }

  Sees sees() const override {
    Sees sees{.heads = true, .bodies = true, .data = false, .channels = Sees::Channels::kOfNodes};
    if (kind_ == PacketKind::kStars) sees.virtual_channels = Sees::VirtualChannels::kBoth;
    if (kind_ != PacketKind::kUnits) return sees;
    sees.channels = Sees::Channels::kAll;
    sees.cycles = true;
    return sees;
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.channel < first_ || event.flit.sync()) return;
    std::vector<core::Flit>& flits =
        passing_[(event.channel - first_) * subject_.vcs + event.flit.vc];
    if (event.flit.head()) {
      flits.clear();
      const std::uint8_t opcode = fabric::Formats::opcode(event.flit);
      if (!(kind_ == PacketKind::kUnits ? fabric::is_unit_opcode
                                        : fabric::is_barrier_opcode)(opcode))
        return;
    } else if (flits.empty()) {
      return;  // of another packet
    }
    flits.push_back(event.flit);
    if (!event.flit.tail()) return;
    const std::vector<core::Flit> all = std::exchange(flits, {});
    if (event.flit.cut() && !losses_.empty()) return;
    const bool worm = fabric::Formats::opcode(all.front()) == fabric::kOpcodeWorm;
    const std::size_t size = all.size();
    if (size < fabric::kBarrierPacketFlits || (!worm && size > fabric::kBarrierPacketFlits))
      require(false, cycle, event.channel, "a barrier packet of {} flits", size);
    for (std::size_t address = 0; address + 2 < size; ++address) {
      const std::array<core::Flit, 3> one{all[address], all[size - 2], all[size - 1]};
      const BarrierPacket packet = subject_.formats.barrier_packet(one);
      require(packet.gid < groups_.size(), cycle, event.channel, "packet of the unknown group {}",
              packet.gid);
      judge(cycle, event.channel, packet, groups_[packet.gid]);
    }
  }
  /// After all flits of the cycle, of units.
  void end_cycle(std::uint64_t cycle) override {
    // Bounds are far longer.
    if (kind_ != PacketKind::kUnits || cycle % 64 != 0) return;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::uint32_t v = 0; v < groups_[g].group.addresses.size(); ++v)
        for (std::uint32_t phase = 0; phase < PhasedTree::kPhases; ++phase) {
          const State& state = groups_[g];
          const PhasedTree::Count& sent = state.tree.vertices[v].sent[phase];
          if (sent.n == state.tree.vertices[v].received[phase].n) continue;
          require_at(cycle - sent.last <= bound_, cycle,
                     state.group.addresses[v] - subject_.graph.nodes(),
                     "group {}: {} between this switch and its parent in flight for {} "
                     "cycles, at most {}",
                     g, PhasedTree::kNames[phase], cycle - sent.last, bound_);
        }
  }
  void lose(std::uint64_t, const Loss& loss) override {
    losses_.push_back(loss);
    // What the block was sending has no more flits.
    const auto& channels = subject_.layout.channels();
    for (std::uint32_t i = 0; i < passing_.size(); ++i)
      if (loss.is(channels[first_ + i / subject_.vcs].from)) passing_[i].clear();
    for (State& state : groups_)
      for (std::uint32_t v = 0; v < state.group.addresses.size(); ++v)
        state.packets_may_be_lost |=
            may_lose(state.group.addresses[v], state.group.addresses[state.group.parent[v]]);
  }
  void recovered() override {
    std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const State& state = groups_[g];
      for (std::uint32_t v = 0; v < state.group.addresses.size() && !state.packets_may_be_lost;
           ++v) {
        if (kind_ == PacketKind::kStars && state.group.parent[v] == v) continue;
        const std::uint32_t address = state.group.addresses[v];
        const topology::SwitchId at = is_node(address) ? subject_.graph.node(address).at.sw
                                                       : address - subject_.graph.nodes();
        require_at(state.tree.even(v), cycle, at, [&] {
          const PhasedTree::Count* const sent = state.tree.vertices[v].sent;
          const PhasedTree::Count* const received = state.tree.vertices[v].received;
          return fmt::format(
              "group {}: {}, {}, {} arrivals, releases, acknowledgements of {} sent, {}, {}, {} "
              "received; the network is empty",
              g, sent[0].n, sent[1].n, sent[2].n, name(address), received[0].n, received[1].n,
              received[2].n);
        });
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = topology::Places::kNone;
  /// By PacketKind.
  static constexpr const char* kCheckers[] = {"packet barriers", "packet trees", "unit trees"};
  using Phase = PhasedTree::Phase;
  static Phase phase_of(std::uint8_t opcode) {
    if (opcode == fabric::kOpcodeArrival || opcode == fabric::kOpcodeUnitArrival)
      return PhasedTree::kUp;
    return opcode == fabric::kOpcodeAck || opcode == fabric::kOpcodeUnitAck ? PhasedTree::kAck
                                                                            : PhasedTree::kDown;
  }
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
  void judge(std::uint64_t cycle, ChannelId channel, const BarrierPacket& packet, State& state) {
    const fabric::Channel& at = subject_.layout.channels()[channel];
    const auto address = [&](const fabric::End& end) {
      return end.node ? end.id : subject_.graph.nodes() + end.id;
    };
    const bool sent = address(at.from) == packet.source;
    const bool received = address(at.to) == packet.destination;
    const Phase phase = phase_of(packet.opcode);
    const bool down = phase == PhasedTree::kDown;
    const std::uint32_t from = state.places[packet.source], to = state.places[packet.destination];
    const std::uint32_t child = down ? to : from, parent = down ? from : to;
    const bool star = kind_ == PacketKind::kStars, units = kind_ == PacketKind::kUnits;
    std::uint64_t barrier = 0;
    const auto demand = [&](bool holds, const char* what) {
      if (!holds)
        require(false, cycle, channel,
                "group {}: {} packet from {} to {}, number {}, of barrier {}: {}", packet.gid,
                PhasedTree::kNames[phase], name(packet.source), name(packet.destination),
                packet.number, barrier, what);
    };
    const auto demand_number = [&] {
      demand(subject_.formats.barrier_near(barrier, packet.number) == barrier,
             "another number is next");
    };
    const bool of_kind = (phase != PhasedTree::kAck || child < state.group.acks) &&
                         (star || packet.opcode != fabric::kOpcodeWorm);
    demand(of_kind && state.tree.is_edge(child, parent) && (sent || !at.from.node) &&
               (received || !at.to.node),
           "not an edge of its tree");
    PhasedTree::Vertex& edge = state.tree.vertices[child];
    if (sent && may_lose(packet.source, packet.destination)) state.packets_may_be_lost = true;
    const bool to_member = down && received && is_node(packet.destination);
    if (sent) {
      barrier = edge.sent[phase].n;
      demand_number();
      demand(!units || !to_member || state.all.before(barrier + 1, cycle),
             "released before all have arrived");
      demand(state.tree.may_send(from, phase, barrier, cycle),
             "the message before it has not come");
      demand(!units || edge.received[phase].n == barrier, "the one before is still in flight");
      edge.sent[phase].add(cycle);
      if (phase == PhasedTree::kUp && is_node(packet.source) &&
          ++state.arrivals % state.to_arrive == 0)
        state.all.add(cycle);
    }
    if (received) {
      barrier = edge.received[phase].n;
      demand_number();
      demand(!star || !to_member || state.all.before(barrier + 1, cycle),
             "released before all have arrived");
      demand(barrier < edge.sent[phase].n, "it was not sent");
      state.tree.receive(child, phase, cycle);
    }
    // As many checks as a message of this kind has.
    if (!units)
      count(star && to_member ? 4 : 3);
    else
      count(is_node(packet.source) ? 3 : to_member ? 5 : 2 + 3 * sent + received);
  }
  bool is_node(std::uint32_t address) const { return address < subject_.graph.nodes(); }
  std::string name(std::uint32_t address) const {
    return is_node(address) ? fmt::format("n{}", address)
                            : fmt::format("switch {}", address - subject_.graph.nodes());
  }
  /// Packets between the two may be lost with what is lost.
  bool may_lose(std::uint32_t a, std::uint32_t b) const {
    if (losses_.empty()) return false;
    std::vector<topology::PortRef> ports;
    topology::add_ways(subject_.graph, subject_.routes, a, b, ports);
    return std::ranges::any_of(losses_, [&](const Loss& loss) {
      if (loss.node) return loss.id == a || loss.id == b;
      return std::ranges::any_of(
          ports, [&](const topology::PortRef& port) { return loss.at(subject_.layout, port); });
    });
  }

  PacketKind kind_;
  std::uint64_t bound_;
  ChannelId first_;  ///< channel that is seen
  std::vector<State> groups_;
  std::vector<std::vector<core::Flit>> passing_;  ///< by channel and virtual channel
  std::vector<Loss> losses_;                      ///< not recovered
};

}  // namespace muster::checkers
