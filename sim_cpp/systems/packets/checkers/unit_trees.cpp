// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/checkers/unit_trees.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::checkers {

using core::ChannelId;
using fabric::BarrierPacket;

UnitTrees::UnitTrees(const Subject& subject, const std::vector<UnitGroup>& groups,
                     std::uint64_t bound)
    : LinkChecker("unit trees", subject),
      bound_(bound),
      passing_(subject.layout.channels().size() * subject.vcs),
      group_of_(std::size_t{1} << subject.formats.gid_width(), kNone) {
  for (const UnitGroup& group : groups) {
    if (group.gid >= group_of_.size() || group_of_[group.gid] != kNone)
      throw InternalError(fmt::format("group identifier {} is too wide or used twice", group.gid));
    group_of_[group.gid] = static_cast<std::uint32_t>(groups_.size());
    const std::size_t places = group.switches.size();
    State state;
    state.group = group;
    state.members.resize(group.members.size());
    state.edges.resize(places);
    state.children.resize(places);
    state.locals.resize(places);
    for (std::uint32_t i = 0; i < places; ++i) {
      state.place_of[group.switches[i]] = i;
      if (group.parent[i] != i) state.children[group.parent[i]].push_back(i);
    }
    for (std::uint32_t m = 0; m < group.members.size(); ++m) {
      state.member_of[group.members[m]] = m;
      state.locals[state.place_of.at(subject.graph.node(group.members[m]).at.sw)].push_back(m);
    }
    groups_.push_back(std::move(state));
  }
}

void UnitTrees::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  if (event.flit.sync()) return;
  std::vector<core::Flit>& flits = passing_[event.channel * subject_.vcs + event.flit.vc];
  if (event.flit.head()) {
    flits.clear();
    if (!fabric::is_unit_opcode(fabric::Formats::opcode(event.flit))) return;
  } else if (flits.empty()) {
    return;  // of another packet
  }
  flits.push_back(event.flit);
  if (!event.flit.tail()) return;
  require(flits.size() == fabric::kBarrierPacketFlits, cycle, event.channel,
          [&] { return fmt::format("a unit's message of {} flits", flits.size()); });
  packet(cycle, event.channel, subject_.formats.barrier_packet(flits));
  flits.clear();
}

UnitTrees::State& UnitTrees::state_of(std::uint64_t cycle, ChannelId channel,
                                      const BarrierPacket& p) {
  const std::uint32_t g = group_of_[p.gid];
  require(g != kNone, cycle, channel,
          [&] { return fmt::format("unit's message of the unknown group {}", p.gid); });
  return groups_[g];
}

void UnitTrees::packet(std::uint64_t cycle, ChannelId channel, const BarrierPacket& p) {
  const fabric::Channel& c = subject_.layout.channels()[channel];
  if (c.from.node) {
    from_node(cycle, channel, p);
  } else if (c.to.node) {
    into_node(cycle, channel, p);
  } else {
    on_edge(cycle, channel, p);
  }
}

void UnitTrees::from_node(std::uint64_t cycle, ChannelId channel, const BarrierPacket& p) {
  State& state = state_of(cycle, channel, p);
  const std::uint32_t node = subject_.layout.channels()[channel].from.id;
  const auto found = state.member_of.find(node);
  const std::uint32_t own = subject_.graph.nodes() + subject_.graph.node(node).at.sw;
  require(found != state.member_of.end() && p.opcode == fabric::kOpcodeUnitArrival &&
              p.source == node && p.destination == own,
          cycle, channel, [&] {
            return fmt::format(
                "group {}: message with opcode {} from {} to {}, which is not an arrival of a "
                "member at its switch",
                p.gid, p.opcode, p.source, p.destination);
          });
  Member& member = state.members[found->second];
  const std::uint32_t barrier = member.arrived.n;
  require(member.released.before(barrier, cycle) && is_number(barrier, p), cycle, channel, [&] {
    return fmt::format("group {}: n{} arrives at barrier {}, number {}, released from {}", p.gid,
                       node, barrier, p.number, member.released.n);
  });
  member.arrived.add(cycle);
  if (state.arrivals.size() <= barrier) state.arrivals.resize(barrier + 1);
  state.arrivals[barrier].add(cycle);
}

void UnitTrees::into_node(std::uint64_t cycle, ChannelId channel, const BarrierPacket& p) {
  State& state = state_of(cycle, channel, p);
  const std::uint32_t node = subject_.layout.channels()[channel].to.id;
  const topology::SwitchId sw = subject_.graph.node(node).at.sw;
  const auto found = state.member_of.find(node);
  require(found != state.member_of.end() && p.opcode == fabric::kOpcodeUnitRelease &&
              p.destination == node && p.source == subject_.graph.nodes() + sw,
          cycle, channel, [&] {
            return fmt::format(
                "group {}: message with opcode {} from {} to {}, which is not a release of a "
                "member by its switch",
                p.gid, p.opcode, p.source, p.destination);
          });
  Member& member = state.members[found->second];
  const std::uint32_t barrier = member.released.n;
  require(is_number(barrier, p) && member.arrived.before(barrier + 1, cycle), cycle, channel, [&] {
    return fmt::format("group {}: n{} is released from barrier {}, number {}, arrived at {}", p.gid,
                       node, barrier, p.number, member.arrived.n);
  });
  const auto members = static_cast<std::uint32_t>(state.members.size());
  require(state.arrivals[barrier].before(members, cycle), cycle, channel, [&] {
    return fmt::format("group {}: n{} is released from barrier {} when {} of {} have arrived",
                       p.gid, node, barrier, state.arrivals[barrier].n, members);
  });
  require(may_release(state, state.place_of.at(sw), barrier, cycle), cycle, channel, [&] {
    return fmt::format("group {}: n{} is released from barrier {} before its switch", p.gid, node,
                       barrier);
  });
  member.released.add(cycle);
}

/// A message between switches, on any link of its way.
void UnitTrees::on_edge(std::uint64_t cycle, ChannelId channel, const BarrierPacket& p) {
  State& state = state_of(cycle, channel, p);
  const Phase phase = PhasedEdge::phase(p.opcode == fabric::kOpcodeUnitArrival,
                                        p.opcode == fabric::kOpcodeUnitRelease);
  const std::uint32_t nodes = subject_.graph.nodes();
  const auto place = [&](std::uint32_t address) {
    const auto found = state.place_of.find(address - nodes);
    return address < nodes || found == state.place_of.end() ? kNone : found->second;
  };
  const std::uint32_t from = place(p.source), to = place(p.destination);
  const std::uint32_t child = phase == kDown ? to : from, parent = phase == kDown ? from : to;
  const bool of_tree =
      child != kNone && parent != kNone && child != parent && state.group.parent[child] == parent;
  require(of_tree, cycle, channel, [&] {
    return fmt::format("group {}: {} from {} to {}, which is not an edge of its tree", p.gid,
                       PhasedEdge::kNames[phase], p.source, p.destination);
  });
  const fabric::Channel& c = subject_.layout.channels()[channel];
  PhasedEdge& edge = state.edges[child];
  const Message message{group_of_[p.gid], child, phase};
  const auto text = [&](std::uint32_t count, const char* what) {
    return fmt::format("group {}: {} from {} to {}, number {}, of barrier {}: {}", p.gid,
                       PhasedEdge::kNames[phase], p.source, p.destination, p.number, count, what);
  };
  if (c.from.id + nodes == p.source) {
    const std::uint32_t count = edge.sent[phase].n;
    require(is_number(count, p), cycle, channel,
            [&] { return text(count, "another number is next"); });
    require(may_send(state, from, phase, count, cycle), cycle, channel,
            [&] { return text(count, "the message before it has not come"); });
    edge.sent[phase].add(cycle);
    require(under_way_.emplace(message, cycle).second, cycle, channel,
            [&] { return text(count, "the previous one is still in flight"); });
  }
  if (c.to.id + nodes == p.destination) {
    const std::uint32_t count = edge.received[phase].n;
    require(is_number(count, p) && count < edge.sent[phase].n, cycle, channel,
            [&] { return text(count, "it was not sent"); });
    edge.received[phase].add(cycle);
    under_way_.erase(message);
  }
}

/// The arrivals of all children and locals have come to a switch.
bool UnitTrees::all_there(const State& state, std::uint32_t place, std::uint32_t barrier,
                          std::uint64_t cycle) const {
  return std::all_of(state.children[place].begin(), state.children[place].end(),
                     [&](std::uint32_t child) {
                       return state.edges[child].received[kUp].before(barrier + 1, cycle);
                     }) &&
         std::all_of(state.locals[place].begin(), state.locals[place].end(), [&](std::uint32_t m) {
           return state.members[m].arrived.before(barrier + 1, cycle);
         });
}

/// A switch may release its children and locals.
bool UnitTrees::may_release(const State& state, std::uint32_t place, std::uint32_t barrier,
                            std::uint64_t cycle) const {
  if (state.group.parent[place] != place)
    return state.edges[place].received[kDown].before(barrier + 1, cycle);
  return all_there(state, place, barrier, cycle) &&
         std::all_of(state.children[place].begin(), state.children[place].end(),
                     [&](std::uint32_t child) {
                       return state.edges[child].received[kAck].before(barrier, cycle);
                     });
}

bool UnitTrees::may_send(const State& state, std::uint32_t place, Phase phase,
                         std::uint32_t barrier, std::uint64_t cycle) const {
  if (phase == kDown) return may_release(state, place, barrier, cycle);
  if (phase == kUp)
    return all_there(state, place, barrier, cycle) && state.edges[place].sent[kAck].n >= barrier;
  return std::all_of(state.locals[place].begin(), state.locals[place].end(),
                     [&](std::uint32_t m) {
                       return state.members[m].released.before(barrier + 1, cycle);
                     }) &&
         std::all_of(state.children[place].begin(), state.children[place].end(),
                     [&](std::uint32_t child) {
                       return state.edges[child].received[kAck].before(barrier + 1, cycle);
                     });
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
          state.group.gid, PhasedEdge::kNames[message.phase], cycle - since, bound_);
    });
  }
}

void UnitTrees::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const State& state : groups_) {
    for (std::uint32_t m = 0; m < state.members.size(); ++m)
      require(state.members[m].arrived.n == state.members[m].released.n, cycle,
              subject_.layout.into_switch(state.group.members[m]), [&] {
                return fmt::format("group {}: {} arrivals, {} releases; the network is empty",
                                   state.group.gid, state.members[m].arrived.n,
                                   state.members[m].released.n);
              });
    for (std::uint32_t i = 0; i < state.edges.size(); ++i)
      require_at(state.edges[i].even(), cycle, state.group.switches[i],
                 [&] { return state.edges[i].text(state.group.gid); });
  }
}

}  // namespace muster::checkers
