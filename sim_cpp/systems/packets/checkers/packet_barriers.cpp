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
  std::vector<core::Flit>& flits =
      passing_[(event.channel - first_) * subject_.vcs + event.flit.vc];
  if (event.flit.head()) {
    flits.clear();
    if (!ours_(fabric::Formats::opcode(event.flit))) return;
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
    require(false, cycle, event.channel,
            [&] { return fmt::format("a barrier packet of {} flits", size); });
  for (std::size_t address = 0; address + 2 < size; ++address) {
    const std::array<core::Flit, 3> one{all[address], all[size - 2], all[size - 1]};
    const BarrierPacket packet = subject_.formats.barrier_packet(one);
    const std::uint32_t group = group_of_[packet.gid];
    require(group != kNone, cycle, event.channel,
            [&] { return fmt::format("packet of the unknown group {}", packet.gid); });
    judge(cycle, event.channel, packet, group);
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

PhasedTree::PhasedTree(const std::vector<std::uint32_t>& parents, bool acks)
    : vertices(parents.size()) {
  for (std::uint32_t v = 0; v < parents.size(); ++v) {
    vertices[v].parent = parents[v];
    vertices[v].acks = acks;
    if (parents[v] != v) ++vertices[parents[v]].children;
  }
}

void PhasedTree::add_leaf(std::uint32_t parent) {
  Vertex& leaf = vertices.emplace_back();
  leaf.parent = parent;
  leaf.acks = false;
  ++vertices[parent].children;
}

bool PhasedTree::may_send(std::uint32_t who, Phase phase, std::uint64_t barrier,
                          std::uint64_t cycle) const {
  const Vertex& v = vertices[who];
  const bool all_arrived = v.children == 0 || v.arrived.before(barrier + 1, cycle);
  if (phase == kUp)
    return all_arrived &&
           (v.acks ? v.sent[kAck].n >= barrier : v.received[kDown].before(barrier, cycle));
  if (phase == kDown && v.parent == who) return all_arrived && v.ended.before(barrier, cycle);
  const bool all_ended = v.children == 0 || v.ended.before(barrier + 1, cycle);
  return v.received[kDown].before(barrier + 1, cycle) && (phase == kDown || all_ended);
}

void PhasedTree::receive(std::uint32_t child, Phase phase, std::uint64_t cycle) {
  Vertex& v = vertices[child];
  Vertex& above = vertices[v.parent];
  v.received[phase].add(cycle);
  if (phase == kUp && ++above.arrivals % above.children == 0) above.arrived.add(cycle);
  if (phase == (v.acks ? kAck : kDown) && ++above.ends % above.children == 0)
    above.ended.add(cycle);
}

bool PhasedTree::even(std::uint32_t child) const {
  const Vertex& v = vertices[child];
  for (std::uint32_t phase = 0; phase < (v.acks ? kPhases : kAck); ++phase)
    if (v.sent[phase].n != v.sent[kUp].n || v.received[phase].n != v.sent[kUp].n) return false;
  return true;
}

std::string PhasedTree::text(std::uint32_t child, std::uint32_t gid) const {
  const Vertex& v = vertices[child];
  return fmt::format(
      "group {}: {}, {}, {} arrivals, releases, acknowledgements sent, {}, {}, {} received; the "
      "network is empty",
      gid, v.sent[0].n, v.sent[1].n, v.sent[2].n, v.received[0].n, v.received[1].n,
      v.received[2].n);
}

PacketTrees::PacketTrees(const char* name, const Subject& subject,
                         const std::vector<PacketTree>& groups, bool acks)
    : BarrierPackets(name, subject, subject.layout.into_switch(0), fabric::is_barrier_opcode),
      acks_(acks) {
  for (const PacketTree& group : groups) {
    add_group(group.gid);
    groups_.push_back({group, PhasedTree(group.parent, acks), topology::Places(group.members), {}});
  }
}

void PacketTrees::judge(std::uint64_t cycle, ChannelId channel, const BarrierPacket& packet,
                        std::uint32_t g) {
  State& state = groups_[g];
  const fabric::Channel& at = subject_.layout.channels()[channel];
  const bool leaves = at.from.node;
  const Phase phase = packet.opcode == fabric::kOpcodeArrival ? PhasedTree::kUp
                      : packet.opcode == fabric::kOpcodeAck   ? PhasedTree::kAck
                                                              : PhasedTree::kDown;
  const std::uint32_t from = state.places[packet.source], to = state.places[packet.destination];
  const bool down = phase == PhasedTree::kDown;
  const std::uint32_t child = down ? to : from, parent = down ? from : to;
  const bool of_kind = acks_ ? packet.opcode != fabric::kOpcodeWorm : phase != PhasedTree::kAck;
  require(of_kind && state.tree.is_edge(child, parent) &&
              (leaves ? at.from.id == packet.source : at.to.id == packet.destination),
          cycle, channel, [&] {
            return fmt::format(
                "group {}: {} packet from n{} to n{}, which is not an edge of its "
                "tree",
                packet.gid, PhasedTree::kNames[phase], packet.source, packet.destination);
          });
  if (leaves && may_lose(packet.source, packet.destination)) state.packets_may_be_lost = true;
  PhasedTree::Vertex& edge = state.tree.vertices[child];
  const std::uint64_t barrier = (leaves ? edge.sent : edge.received)[phase].n;
  const auto text = [&](const char* what) {
    return fmt::format("group {}: {} packet from n{} to n{}, number {}, of barrier {}: {}",
                       packet.gid, PhasedTree::kNames[phase], packet.source, packet.destination,
                       packet.number, barrier, what);
  };
  require(is_of(packet, barrier), cycle, channel, [&] { return text("another number is next"); });
  if (leaves) {
    require(state.tree.may_send(from, phase, barrier, cycle), cycle, channel,
            [&] { return text("the message before it has not come"); });
    edge.sent[phase].add(cycle);
    if (phase == PhasedTree::kUp && ++state.arrivals % (state.group.members.size() - 1) == 0)
      state.all.add(cycle);
    return;
  }
  if (!acks_ && down)
    require(state.all.before(barrier + 1, cycle), cycle, channel,
            [&] { return text("released before all have arrived"); });
  require(barrier < edge.sent[phase].n, cycle, channel, [&] { return text("it was not sent"); });
  state.tree.receive(child, phase, cycle);
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
    for (std::uint32_t m = 0; m < state.group.members.size() && !state.packets_may_be_lost; ++m) {
      if (!acks_ && state.group.parent[m] == m) continue;
      require(state.tree.even(m), cycle, subject_.layout.into_switch(state.group.members[m]),
              [&] { return state.tree.text(m, state.group.gid); });
    }
}

namespace {

std::vector<PacketTree> stars(const std::vector<PacketGroup>& groups) {
  std::vector<PacketTree> trees;
  for (const PacketGroup& group : groups) {
    const std::uint32_t root = topology::Places(group.members)[group.root_node];
    if (root == topology::Places::kNone)
      throw InternalError(
          fmt::format("group {}: the root node n{} is not a member", group.gid, group.root_node));
    trees.push_back(
        {group.gid, group.members, std::vector<std::uint32_t>(group.members.size(), root)});
  }
  return trees;
}

}  // namespace

PacketBarriers::PacketBarriers(const Subject& subject, const std::vector<PacketGroup>& groups)
    : PacketTrees("packet barriers", subject, stars(groups), false) {}

}  // namespace muster::checkers
