// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/unit_trees.hpp"

#include <fmt/format.h>

namespace muster::checkers {

using core::ChannelId;
using fabric::BarrierPacket;

UnitTrees::UnitTrees(const Subject& subject, const std::vector<UnitGroup>& groups,
                     std::uint64_t bound)
    : BarrierPackets("unit trees", subject, 0, fabric::is_unit_opcode), bound_(bound) {
  for (const UnitGroup& group : groups) {
    add_group(group.gid);
    State state{group, PhasedTree(group.parent, true), {}, {}};
    for (std::uint32_t i = 0; i < group.switches.size(); ++i)
      state.place_of[subject.graph.nodes() + group.switches[i]] = i;
    for (const topology::NodeId n : group.members) {
      state.place_of[n] = static_cast<std::uint32_t>(state.tree.vertices.size());
      state.tree.add_leaf(state.place_of.at(subject.graph.nodes() + subject.graph.node(n).at.sw));
    }
    groups_.push_back(std::move(state));
  }
}

void UnitTrees::judge(std::uint64_t cycle, ChannelId channel, const BarrierPacket& p,
                      std::uint32_t group) {
  count(1);  // its length, which is right
  const fabric::Channel& c = subject_.layout.channels()[channel];
  if (c.from.node)
    from_node(cycle, channel, groups_[group], p);
  else if (c.to.node)
    into_node(cycle, channel, groups_[group], p);
  else
    on_edge(cycle, channel, group, p);
}

void UnitTrees::from_node(std::uint64_t cycle, ChannelId channel, State& state,
                          const BarrierPacket& p) {
  const std::uint32_t node = subject_.layout.channels()[channel].from.id;
  const auto found = state.place_of.find(node);
  const std::uint32_t own = subject_.graph.nodes() + subject_.graph.node(node).at.sw;
  require(found != state.place_of.end() && p.opcode == fabric::kOpcodeUnitArrival &&
              p.source == node && p.destination == own,
          cycle, channel, [&] {
            return fmt::format(
                "group {}: message with opcode {} from {} to {}, which is not an arrival of a "
                "member at its switch",
                p.gid, p.opcode, p.source, p.destination);
          });
  PhasedTree::Vertex& member = state.tree.vertices[found->second];
  const std::uint64_t barrier = member.sent[PhasedTree::kUp].n;
  require(state.tree.may_send(found->second, PhasedTree::kUp, barrier, cycle) && is_of(p, barrier),
          cycle, channel, [&] {
            return fmt::format("group {}: n{} arrives at barrier {}, number {}, released from {}",
                               p.gid, node, barrier, p.number,
                               member.received[PhasedTree::kDown].n);
          });
  member.sent[PhasedTree::kUp].add(cycle);
  state.tree.receive(found->second, PhasedTree::kUp, cycle);
  if (state.arrivals.size() <= barrier) state.arrivals.resize(barrier + 1);
  state.arrivals[barrier].add(cycle);
}

void UnitTrees::into_node(std::uint64_t cycle, ChannelId channel, State& state,
                          const BarrierPacket& p) {
  const std::uint32_t node = subject_.layout.channels()[channel].to.id;
  const auto found = state.place_of.find(node);
  require(found != state.place_of.end() && p.opcode == fabric::kOpcodeUnitRelease &&
              p.destination == node &&
              p.source == subject_.graph.nodes() + subject_.graph.node(node).at.sw,
          cycle, channel, [&] {
            return fmt::format(
                "group {}: message with opcode {} from {} to {}, which is not a release of a "
                "member by its switch",
                p.gid, p.opcode, p.source, p.destination);
          });
  PhasedTree::Vertex& member = state.tree.vertices[found->second];
  const std::uint64_t barrier = member.received[PhasedTree::kDown].n;
  const PhasedTree::Count& arrived = member.sent[PhasedTree::kUp];
  require(is_of(p, barrier) && arrived.before(barrier + 1, cycle), cycle, channel, [&] {
    return fmt::format("group {}: n{} is released from barrier {}, number {}, arrived at {}", p.gid,
                       node, barrier, p.number, arrived.n);
  });
  const std::size_t members = state.group.members.size();
  require(state.arrivals[barrier].before(members, cycle), cycle, channel, [&] {
    return fmt::format("group {}: n{} is released from barrier {} when {} of {} have arrived",
                       p.gid, node, barrier, state.arrivals[barrier].n, members);
  });
  require(state.tree.may_send(member.parent, PhasedTree::kDown, barrier, cycle), cycle, channel,
          [&] {
            return fmt::format("group {}: n{} is released from barrier {} before its switch", p.gid,
                               node, barrier);
          });
  member.sent[PhasedTree::kDown].add(cycle);
  state.tree.receive(found->second, PhasedTree::kDown, cycle);
}

/// A message between switches, on any link of its way.
void UnitTrees::on_edge(std::uint64_t cycle, ChannelId channel, std::uint32_t group,
                        const BarrierPacket& p) {
  State& state = groups_[group];
  const Phase phase = p.opcode == fabric::kOpcodeUnitArrival   ? PhasedTree::kUp
                      : p.opcode == fabric::kOpcodeUnitRelease ? PhasedTree::kDown
                                                               : PhasedTree::kAck;
  const std::uint32_t nodes = subject_.graph.nodes();
  const auto place = [&](std::uint32_t address) {
    const auto found = state.place_of.find(address);
    return address < nodes || found == state.place_of.end() ? kNone : found->second;
  };
  const std::uint32_t from = place(p.source), to = place(p.destination);
  const bool down = phase == PhasedTree::kDown;
  const std::uint32_t child = down ? to : from, parent = down ? from : to;
  require(state.tree.is_edge(child, parent), cycle, channel, [&] {
    return fmt::format("group {}: {} from {} to {}, which is not an edge of its tree", p.gid,
                       PhasedTree::kNames[phase], p.source, p.destination);
  });
  const fabric::Channel& c = subject_.layout.channels()[channel];
  PhasedTree::Vertex& edge = state.tree.vertices[child];
  const Message message{group, child, phase};
  const auto text = [&](std::uint64_t count, const char* what) {
    return fmt::format("group {}: {} from {} to {}, number {}, of barrier {}: {}", p.gid,
                       PhasedTree::kNames[phase], p.source, p.destination, p.number, count, what);
  };
  if (c.from.id + nodes == p.source) {
    const std::uint64_t barrier = edge.sent[phase].n;
    require(is_of(p, barrier), cycle, channel,
            [&] { return text(barrier, "another number is next"); });
    require(state.tree.may_send(from, phase, barrier, cycle), cycle, channel,
            [&] { return text(barrier, "the message before it has not come"); });
    edge.sent[phase].add(cycle);
    require(under_way_.emplace(message, cycle).second, cycle, channel,
            [&] { return text(barrier, "the previous one is still in flight"); });
  }
  if (c.to.id + nodes == p.destination) {
    const std::uint64_t barrier = edge.received[phase].n;
    require(is_of(p, barrier) && barrier < edge.sent[phase].n, cycle, channel,
            [&] { return text(barrier, "it was not sent"); });
    state.tree.receive(child, phase, cycle);
    under_way_.erase(message);
  }
}

void UnitTrees::end_cycle(std::uint64_t cycle) {
  if (cycle % 64 != 0) return;  // bounds are far longer
  for (const auto& under_way : under_way_) {
    const auto& message = under_way.first;
    const std::uint64_t since = under_way.second;
    const State& state = groups_[message.group];
    require_at(cycle - since <= bound_, cycle, state.group.switches[message.child], [&] {
      return fmt::format(
          "group {}: {} between this switch and its parent in flight for {} cycles, at most {}",
          state.group.gid, PhasedTree::kNames[message.phase], cycle - since, bound_);
    });
  }
}

void UnitTrees::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const State& state : groups_)
    for (std::uint32_t v = 0; v < state.tree.vertices.size(); ++v) {
      const std::uint32_t sw = v < state.group.switches.size() ? v : state.tree.vertices[v].parent;
      require_at(state.tree.even(v), cycle, state.group.switches[sw],
                 [&] { return state.tree.text(v, state.group.gid); });
    }
}

}  // namespace muster::checkers
