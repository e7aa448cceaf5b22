// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/packet_barriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "muster/core/error.hpp"
#include "topology/route_walk.hpp"

namespace muster::checkers {

using core::ChannelId;
using fabric::BarrierPacket;

void BarrierPackets::add_group(std::uint32_t gid) {
  if (gid >= group_of_.size() || group_of_[gid] != kNone)
    throw InternalError(fmt::format("group identifier {} is too wide or used twice", gid));
  group_of_[gid] = groups_++;
}

void BarrierPackets::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  if (event.channel < first_ || event.flit.sync()) return;
  const std::uint32_t place = event.channel - first_;
  std::vector<core::Flit>& flits = passing_[place * subject_.vcs + event.flit.vc];
  if (event.flit.head()) {
    flits.clear();
    if (!fabric::is_barrier_opcode(fabric::Formats::opcode(event.flit))) return;
  } else if (flits.empty()) {
    return;  // of a packet of data
  }
  flits.push_back(event.flit);
  if (!event.flit.tail()) return;
  const std::vector<core::Flit> all = std::exchange(flits, {});
  if (event.flit.cut() && !losses_.empty()) return;
  const bool worm = fabric::Formats::opcode(all.front()) == fabric::kOpcodeWorm;
  const std::size_t size = all.size();
  if (size < fabric::kBarrierPacketFlits || (!worm && size > fabric::kBarrierPacketFlits))
    require(false, cycle, event.channel,
            [] { return std::string("a barrier packet of no length"); });
  for (std::size_t address = 0; address + 2 < size; ++address) {
    const std::array<core::Flit, 3> one{all[address], all[size - 2], all[size - 1]};
    const BarrierPacket packet = subject_.formats.barrier_packet(one);
    const std::uint32_t group = group_of_[packet.gid];
    require(group != kNone, cycle, event.channel,
            [&] { return fmt::format("packet of the unknown group {}", packet.gid); });
    judge(cycle, event.channel, place / 2, place % 2 == 0, packet, group);
  }
}

void BarrierPackets::lose(std::uint64_t, const Loss& loss) {
  losses_.push_back(loss);
  // What the block was sending has no more flits.
  const auto& channels = subject_.layout.channels();
  for (std::uint32_t i = 0; i < passing_.size(); ++i)
    if (loss.is(channels[first_ + i / subject_.vcs].from)) passing_[i].clear();
}

bool BarrierPackets::may_lose(std::uint32_t a, std::uint32_t b) const {
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

PacketBarriers::PacketBarriers(const Subject& subject, const std::vector<PacketGroup>& groups)
    : BarrierPackets("packet barriers", subject) {
  for (const PacketGroup& group : groups) {
    add_group(group.gid);
    State state;
    state.group = group;
    state.places = topology::Places(group.members);
    state.members.resize(group.members.size());
    if (state.places[group.root_node] == kNone)
      throw InternalError(
          fmt::format("group {}: the root node n{} is not a member", group.gid, group.root_node));
    groups_.push_back(std::move(state));
  }
}

void PacketBarriers::judge(std::uint64_t cycle, ChannelId channel, std::uint32_t node, bool leaves,
                           const BarrierPacket& packet, std::uint32_t g) {
  State& state = groups_[g];
  const bool up = packet.opcode == fabric::kOpcodeArrival;
  const std::uint32_t other = up ? packet.source : packet.destination;
  const std::uint32_t root = up ? packet.destination : packet.source;
  const std::uint32_t m = state.places[other];
  require(root == state.group.root_node && other != root && m != kNone &&
              node == (leaves ? packet.source : packet.destination),
          cycle, channel, [&] {
            return fmt::format("group {}: {} packet from n{} to n{}, its root node is n{}",
                               packet.gid, up ? "arrival" : "release", packet.source,
                               packet.destination, state.group.root_node);
          });
  if (leaves && may_lose(packet.source, packet.destination)) state.packets_may_be_lost = true;
  Member& member = state.members[m];
  const std::uint64_t barrier =
      up ? (leaves ? member.arrived : member.announced) : (leaves ? member.sent : member.released);
  require(subject_.formats.barrier_near(barrier, packet.number) == barrier, cycle, channel, [&] {
    return fmt::format("group {}: {} packet of n{} has number {}, the next barrier is {}",
                       packet.gid, up ? "arrival" : "release", other, packet.number, barrier);
  });
  if (up)
    arrival(cycle, channel, leaves, state, member);
  else
    release(cycle, channel, leaves, state, member);
}

void PacketBarriers::arrival(std::uint64_t cycle, ChannelId channel, bool leaves, State& state,
                             Member& member) {
  const auto place = [&] { return fmt::format("group {}: ", state.group.gid); };
  if (leaves) {
    require(member.arrived == member.released, cycle, channel,
            [&] { return place() + fmt::format("second arrival at barrier {}", member.released); });
    ++member.arrived;
    state.arrivals.add(cycle, state.others());
  } else {
    require(member.announced < member.arrived, cycle, channel,
            [&] { return place() + "an arrival that was not sent"; });
    ++member.announced;
    state.announcements.add(cycle, state.others());
  }
}

void PacketBarriers::release(std::uint64_t cycle, ChannelId channel, bool leaves, State& state,
                             Member& member) {
  const std::uint64_t barrier = leaves ? member.sent : member.released;
  const auto place = [&] {
    return fmt::format("group {}, barrier {}: ", state.group.gid, barrier);
  };
  if (leaves) {
    require(state.announcements.before(cycle, barrier), cycle, channel, [&] {
      return place() + fmt::format(
                           "release sent after {} arrivals of all barriers were received, "
                           "{} are one barrier",
                           state.announcements.packets, state.others());
    });
    ++member.sent;
  } else {
    require(state.arrivals.before(cycle, barrier), cycle, channel,
            [&] { return place() + "released before all have arrived"; });
    require(member.released < member.sent, cycle, channel,
            [&] { return place() + "a release that the root node did not send"; });
    ++member.released;
  }
}

void PacketBarriers::lose(std::uint64_t cycle, const Loss& loss) {
  BarrierPackets::lose(cycle, loss);
  for (State& state : groups_)
    for (const topology::NodeId n : state.group.members)
      state.packets_may_be_lost |= may_lose(n, state.group.root_node);
}

void PacketBarriers::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const State& state : groups_) {
    if (state.packets_may_be_lost) continue;
    const auto root = state.places[state.group.root_node];
    const std::uint64_t sent = state.members[root == 0 && state.members.size() > 1 ? 1 : 0].sent;
    for (std::uint32_t m = 0; m < state.members.size(); ++m) {
      const Member& member = state.members[m];
      if (m == root) continue;
      require(member.arrived == member.announced && member.sent == member.released &&
                  member.sent == sent,
              cycle, subject_.layout.into_switch(state.group.members[m]), [&] {
                return fmt::format(
                    "group {}: {} arrivals sent, {} received, {} releases sent, {} received, {} "
                    "sent to others; the network is empty",
                    state.group.gid, member.arrived, member.announced, member.sent, member.released,
                    sent);
              });
    }
  }
}

bool PhasedEdge::even() const {
  for (std::uint32_t phase = 0; phase < kPhases; ++phase)
    if (sent[phase].n != sent[kUp].n || received[phase].n != sent[kUp].n) return false;
  return true;
}

std::string PhasedEdge::text(std::uint32_t gid) const {
  return fmt::format(
      "group {}: {}, {}, {} arrivals, releases, acknowledgements sent, {}, {}, {} received; the "
      "network is empty",
      gid, sent[0].n, sent[1].n, sent[2].n, received[0].n, received[1].n, received[2].n);
}

PacketTrees::PacketTrees(const Subject& subject, const std::vector<PacketTree>& groups)
    : BarrierPackets("packet trees", subject) {
  for (const PacketTree& group : groups) {
    add_group(group.gid);
    State state;
    state.group = group;
    state.places = topology::Places(group.members);
    state.edges.resize(group.members.size());
    state.children.resize(group.members.size());
    for (std::uint32_t m = 0; m < group.members.size(); ++m)
      if (group.parent[m] != m) state.children[group.parent[m]].push_back(m);
    groups_.push_back(std::move(state));
  }
}

void PacketTrees::judge(std::uint64_t cycle, ChannelId channel, std::uint32_t node, bool leaves,
                        const BarrierPacket& packet, std::uint32_t g) {
  State& state = groups_[g];
  const Phase phase = PhasedEdge::phase(packet.opcode == fabric::kOpcodeArrival,
                                        packet.opcode == fabric::kOpcodeRelease);
  const std::uint32_t from = state.places[packet.source], to = state.places[packet.destination];
  const bool down = phase == kDown;
  const std::uint32_t child = down ? to : from, parent = down ? from : to;
  const bool of_tree = child != kNone && parent != kNone && child != parent &&
                       state.group.parent[child] == parent &&
                       node == (leaves ? packet.source : packet.destination);
  require(of_tree && packet.opcode != fabric::kOpcodeWorm, cycle, channel, [&] {
    return fmt::format("group {}: {} packet from n{} to n{}, which is not an edge of its tree",
                       packet.gid, PhasedEdge::kNames[phase], packet.source, packet.destination);
  });
  if (leaves && may_lose(packet.source, packet.destination)) state.packets_may_be_lost = true;
  PhasedEdge& edge = state.edges[child];
  PhasedEdge::Count& count = (leaves ? edge.sent : edge.received)[phase];
  const auto text = [&](const char* what) {
    return fmt::format("group {}: {} packet from n{} to n{}, number {}, of barrier {}: {}",
                       packet.gid, PhasedEdge::kNames[phase], packet.source, packet.destination,
                       packet.number, count.n, what);
  };
  require(subject_.formats.barrier_near(count.n, packet.number) == count.n, cycle, channel,
          [&] { return text("another number is next"); });
  if (leaves) {
    require(may_send(state, from, phase, count.n, cycle), cycle, channel,
            [&] { return text("the message before it has not come"); });
  } else {
    require(count.n < edge.sent[phase].n, cycle, channel, [&] { return text("it was not sent"); });
  }
  count.add(cycle);
}

/// A member may send its packet of a phase and barrier.
bool PacketTrees::may_send(const State& state, std::uint32_t who, Phase phase,
                           std::uint32_t barrier, std::uint64_t cycle) const {
  const auto has = [&](std::uint32_t child, Phase of, std::uint32_t count) {
    return state.edges[child].received[of].before(count, cycle);
  };
  const auto all = [&](Phase of, std::uint32_t count) {
    return std::all_of(state.children[who].begin(), state.children[who].end(),
                       [&](std::uint32_t child) { return has(child, of, count); });
  };
  const bool root = state.group.parent[who] == who;
  if (phase == kUp) return all(kUp, barrier + 1) && state.edges[who].sent[kAck].n >= barrier;
  if (phase == kAck) return has(who, kDown, barrier + 1) && all(kAck, barrier + 1);
  return root ? all(kUp, barrier + 1) && all(kAck, barrier) : has(who, kDown, barrier + 1);
}

void PacketTrees::lose(std::uint64_t cycle, const Loss& loss) {
  BarrierPackets::lose(cycle, loss);
  for (State& state : groups_)
    for (std::uint32_t m = 0; m < state.group.members.size(); ++m)
      state.packets_may_be_lost |=
          may_lose(state.group.members[m], state.group.members[state.group.parent[m]]);
}

void PacketTrees::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const State& state : groups_)
    for (std::uint32_t m = 0; m < state.edges.size() && !state.packets_may_be_lost; ++m) {
      const PhasedEdge& edge = state.edges[m];
      require(edge.even(), cycle, subject_.layout.into_switch(state.group.members[m]),
              [&] { return edge.text(state.group.gid); });
    }
}

}  // namespace muster::checkers
