// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/barrier_safety.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "muster/core/error.hpp"

namespace muster::checkers {
namespace {

using core::ChannelId;
using topology::SwitchId;

/// Of a root that answers the switch of its node. A root that reflects may have no member: it is
/// where an uplink leads that has none itself.
SwitchId find_root_switch(const Group& group, const topology::Graph& graph) {
  for (const topology::PortRef& uplink : group.uplinks) {
    if (!group.reflect || uplink.port >= graph.ports(uplink.sw)) continue;
    const topology::Peer& above = graph.peer(uplink.sw, uplink.port);
    if (above.kind == topology::Peer::Kind::kSwitch &&
        std::none_of(group.uplinks.begin(), group.uplinks.end(),
                     [&](const topology::PortRef& other) { return other.sw == above.id; }))
      return above.id;
  }
  return graph.node(group.root_node).at.sw;
}

}  // namespace

std::vector<Vertex> barrier_tree(const Group& group, const topology::Graph& graph,
                                 const fabric::Layout& layout) {
  const auto require = [&](bool holds, const std::string& text) {
    if (!holds) throw InternalError(fmt::format("barrier tree of group {}: {}", group.gid, text));
  };
  require(std::count(group.members.begin(), group.members.end(), group.root_node) == 1,
          fmt::format("the root node n{} is not a member", group.root_node));
  std::vector<Vertex> vertices;
  std::map<SwitchId, std::uint32_t> vertex_of;
  const auto add = [&](bool member, std::uint32_t id, ChannelId upward) {
    const auto next = static_cast<std::uint32_t>(vertices.size());
    require(member || vertex_of.emplace(id, next).second,
            fmt::format("switch {} has two parents", id));
    Vertex& vertex = vertices.emplace_back();
    vertex.member = member;
    vertex.id = id;
    vertex.upward = upward;
  };
  if (!group.reflect) add(true, group.root_node, Vertex::kNoChannel);
  add(false, find_root_switch(group, graph),
      group.reflect ? Vertex::kNoChannel : layout.into_node(group.root_node));
  std::map<topology::PortRef, ChannelId> out;  // to switches
  for (ChannelId c = 0; c < layout.channels().size(); ++c) {
    const fabric::Channel& channel = layout.channels()[c];
    if (!channel.from.node && !channel.to.node) out[{channel.from.id, channel.from.port}] = c;
  }
  for (const topology::PortRef& uplink : group.uplinks) {
    const auto channel = out.find(uplink);
    require(channel != out.end(), fmt::format("{}:{} leads to no switch", uplink.sw, uplink.port));
    add(false, uplink.sw, channel->second);
  }
  for (const topology::NodeId n : group.members)
    if (group.reflect || n != group.root_node) add(true, n, layout.into_switch(n));
  for (std::size_t v = 1; v < vertices.size(); ++v) {
    const fabric::End& above = layout.channels()[vertices[v].upward].to;
    const auto found = vertex_of.find(above.id);
    require(above.node || found != vertex_of.end(),
            fmt::format("switch {} is not part of it", above.id));
    vertices[v].parent = above.node ? 0 : found->second;
    ++vertices[vertices[v].parent].children;
  }
  return vertices;
}

using core::FlitEvent;
using fabric::BarrierMessage;
using fabric::MessageType;
using fabric::Payload;

BarrierSafety::BarrierSafety(const Subject& subject, const std::vector<Group>& groups,
                             const SpillPorts& ports)
    : LinkChecker("barriers", subject),
      spill_(subject, ports),
      group_of_(std::size_t{1} << subject.formats.gid_width(), kNoGroup) {
  for (const Group& group : groups) {
    if (group.gid >= group_of_.size() || group_of_[group.gid] != kNoGroup)
      throw InternalError(fmt::format("group identifier {} is too wide or used twice", group.gid));
    group_of_[group.gid] = static_cast<std::uint32_t>(groups_.size());
    for (const auto& at : group.registers)
      if (!group_of_register_.emplace(at, groups_.size()).second)
        throw InternalError(
            fmt::format("register {} of switch {} is of two groups", at.second, at.first));
    State state{group.gid, group.reflect, {}, {}};
    plant(state, group, 0);
    groups_.push_back(std::move(state));
  }
  messages_.reserve(subject.layout.channels().size());
}

std::uint32_t BarrierSafety::group_of(ChannelId channel, std::uint32_t name) const {
  if (group_of_register_.empty()) return group_of_[name];
  const fabric::End& to = subject_.layout.channels()[channel].to;
  const SwitchId sw = to.node ? subject_.graph.node(to.id).at.sw : to.id;
  const auto at = group_of_register_.find({sw, name});
  return at == group_of_register_.end() ? kNoGroup : at->second;
}

/// The tree as if it had served `first` barriers.
void BarrierSafety::plant(State& state, const Group& group, std::uint64_t first) const {
  state.vertices = barrier_tree(group, subject_.graph, subject_.layout);
  state.vertex_of.assign(subject_.layout.channels().size() / 2, kNoVertex);
  state.to_arrive = static_cast<std::uint32_t>(group.members.size()) - (group.reflect ? 0 : 1);
  for (std::uint32_t v = 1; v < state.vertices.size(); ++v)
    state.vertex_of[state.vertices[v].upward / 2] = v;
  state.op = group.op;
  state.completed = first;
  for (Vertex& v : state.vertices) {
    v.combined = none(state);
    v.up = v.down = first;
    v.from_children = v.to_children = first * v.children;
  }
}

void BarrierSafety::regroup(std::uint64_t cycle, const Group& group, std::uint64_t first) {
  State& state = groups_[group_of_[group.gid]];
  std::erase_if(debts_, [&](const Debt& debt) {
    const bool ours = &groups_[debt.group] == &state;
    require_at(!ours || paid(debt), cycle, debtor(debt),
               [&] { return describe(debt) + " and the tree is changed"; });
    return ours;
  });
  for (const Vertex& v : state.vertices) {
    const bool top = &v == &state.vertices[0];  // which has no parent
    require_at((top || v.up == v.down) && v.from_children == v.down * v.children &&
                   v.to_children == v.down * v.children,
               cycle, v.member ? subject_.graph.node(v.id).at.sw : v.id,
               "group {}: the tree is changed in the middle of barrier {} of {}{}: {} up, {} "
               "down; {} from and {} to its {} children",
               state.gid, v.down, v.kind(), v.id, v.up, v.down, v.from_children, v.to_children,
               v.children);
  }
  plant(state, group, first);
}

Payload BarrierSafety::none(const State& state) const {
  return fabric::neutral(state.op, subject_.formats.data_width());
}

Payload BarrierSafety::together(const State& state, const Payload& a, const Payload& b) const {
  return fabric::reduce(state.op, a, b, subject_.formats.data_width());
}

/// Whether `all` can be what `part` and further data make together.
bool BarrierSafety::contains(const State& state, const Payload& all, const Payload& part) const {
  using fabric::ReduceOp;
  const ReduceOp op = state.op == ReduceOp::kSum ? ReduceOp::kMax : state.op;
  return op == ReduceOp::kXor ||
         fabric::reduce(op, all, part, subject_.formats.data_width()) == all;
}

void BarrierSafety::judge(std::uint64_t cycle) {
  // Upward messages first: one that a downward message of the same cycle would have allowed is
  // early. The other way round the cycle numbers in the state tell.
  for (const bool up : {true, false}) {
    for (const FlitEvent& event : messages_) {
      const BarrierMessage message = subject_.formats.barrier_message(event.flit);
      const std::uint32_t group = group_of(event.channel, message.gid);
      require(group != kNoGroup, cycle, event.channel, "message of the unknown group {}",
              message.gid);
      const std::uint32_t vertex = groups_[group].vertex_of[event.channel / 2];
      require(vertex != kNoVertex, cycle, event.channel, "group {}: not an edge of its tree",
              message.gid);
      const bool upward_channel = groups_[group].vertices[vertex].upward == event.channel;
      const auto type = upward_channel ? MessageType::kReduction : MessageType::kDistribution;
      require(message.type == type, cycle, event.channel, "group {}: message of type {} travels {}",
              message.gid, static_cast<int>(message.type), upward_channel ? "up" : "down");
      if (upward_channel != up) continue;
      if (up)
        upward(cycle, event.channel, group, vertex, message.data);
      else
        downward(cycle, event.channel, group, vertex, message.data);
    }
  }
  messages_.clear();
}

void BarrierSafety::upward(std::uint64_t cycle, ChannelId channel, std::uint32_t group,
                           std::uint32_t vertex, const Payload& data) {
  State& state = groups_[group];
  Vertex& v = state.vertices[vertex];
  require(v.up == v.down, cycle, channel, "group {}, barrier {}: second {} of {}{}", state.gid,
          v.down, v.member ? "arrival" : "reduction message", v.kind(), v.id);
  if (!v.member) {
    require(v.from_children == (v.up + 1) * v.children && v.ready_at < cycle, cycle, channel,
            "group {}, barrier {}: reduction message of {}{} with {} of {} children", state.gid,
            v.up, v.kind(), v.id, v.from_children - v.up * v.children, v.children);
    require(data == v.combined, cycle, channel,
            "group {}, barrier {}: reduction data {:#x}:{:016x}, the children's make {:#x}:{:016x}",
            state.gid, v.up, data.hi, data.lo, v.combined.hi, v.combined.lo);
    v.combined = none(state);
  }
  ++v.up;
  if (v.member) member_arrives(cycle, group);
  child_arrives(cycle, group, v, data);
}

void BarrierSafety::member_arrives(std::uint64_t cycle, std::uint32_t group) {
  State& state = groups_[group];
  state.arrived_at = cycle;
  if (++state.arrived == state.to_arrive && state.reflect) {
    state.arrived = 0;
    state.completed_at = cycle;
    ++state.completed;
  }
}

void BarrierSafety::child_arrives(std::uint64_t cycle, std::uint32_t group, const Vertex& child,
                                  const Payload& data) {
  State& state = groups_[group];
  Vertex& parent = state.vertices[child.parent];
  ++parent.from_children;
  parent.combined = together(state, parent.combined, data);
  parent.ready_at = cycle;
  if (parent.from_children != child.up * parent.children) return;
  if (child.parent != 0) {
    owe({cycle, group, child.parent, child.up - 1, true});
  } else if (state.reflect) {
    parent.distributed = parent.combined;
    parent.combined = none(state);
    parent.down_at = cycle;
    ++parent.down;
    owe({cycle, group, 0, child.up - 1, false});
  }
}

void BarrierSafety::downward(std::uint64_t cycle, ChannelId channel, std::uint32_t group,
                             std::uint32_t vertex, const Payload& data) {
  State& state = groups_[group];
  Vertex& v = state.vertices[vertex];
  Vertex& parent = state.vertices[v.parent];
  if (v.parent == 0 && !state.reflect) {
    root_node_answers(cycle, channel, group, data);
  } else {
    if (v.member) {
      require(v.down < state.completed && state.completed_at < cycle, cycle, channel, [&] {
        return fmt::format(
            "group {}, barrier {}: {}{} released before all have arrived, missing {}", state.gid,
            v.down, v.kind(), v.id, missing(state, v.down));
      });
    }
    require(v.down < parent.down && parent.down_at < cycle, cycle, channel,
            "group {}: distribution message to {}{}, which has had {}; {}{} has had {}", state.gid,
            v.kind(), v.id, v.down, parent.kind(), parent.id, parent.down);
    require(data == parent.distributed, cycle, channel,
            "group {}, barrier {}: distribution data {:#x}:{:016x}, received was {:#x}:{:016x}",
            state.gid, v.down, data.hi, data.lo, parent.distributed.hi, parent.distributed.lo);
  }
  ++parent.to_children;
  ++v.down;
  v.down_at = cycle;
  v.distributed = data;
  if (!v.member) owe({cycle, group, vertex, v.down - 1, false});
}

void BarrierSafety::root_node_answers(std::uint64_t cycle, ChannelId channel, std::uint32_t group,
                                      const Payload& data) {
  State& state = groups_[group];
  Vertex& root = state.vertices[0];
  require(state.arrived == state.to_arrive && state.arrived_at < cycle, cycle, channel, [&] {
    return fmt::format("group {}, barrier {}: distribution before all have arrived, missing {}",
                       state.gid, root.down, missing(state, root.down));
  });
  require(root.from_children == root.down + 1 && root.ready_at < cycle, cycle, channel,
          "group {}, barrier {}: distribution without notification of the root node", state.gid,
          root.down);
  require(
      contains(state, data, root.combined), cycle, channel,
      "group {}, barrier {}: root node clears bits, sends {:#x}:{:016x}, received {:#x}:{:016x}",
      state.gid, root.down, data.hi, data.lo, root.combined.hi, root.combined.lo);
  root.combined = none(state);
  ++root.down;
  root.down_at = cycle;
  state.arrived = 0;
  state.completed_at = cycle;
  ++state.completed;
}

std::string BarrierSafety::missing(const State& state, std::uint64_t barrier) const {
  constexpr std::uint32_t kListed = 8;
  std::string list;
  std::uint32_t count = 0;
  for (const Vertex& v : state.vertices) {
    const bool root = &v == &state.vertices[0];
    if (!v.member || (root ? v.down : v.up) > barrier) continue;
    if (++count <= kListed) list += (count > 1 ? ", n" : "n") + std::to_string(v.id);
  }
  if (count > kListed) list += fmt::format(" and {} more", count - kListed);
  return list;
}

bool BarrierSafety::paid(const Debt& debt) const {
  const Vertex& v = groups_[debt.group].vertices[debt.vertex];
  return debt.upward ? v.up > debt.barrier : v.to_children >= (debt.barrier + 1) * v.children;
}

void BarrierSafety::lose(std::uint64_t, const Loss& loss) {
  for (State& state : groups_)
    state.bereft |= std::any_of(state.vertices.begin(), state.vertices.end(), [&](const Vertex& v) {
      const bool top = &v == &state.vertices[0];  // which has no link upward
      return loss.link ? !top && v.upward / 2 == loss.id : v.member == loss.node && v.id == loss.id;
    });
  std::erase_if(debts_, [&](const Debt& debt) { return groups_[debt.group].bereft; });
}

const BarrierSafety::Debt* BarrierSafety::oldest_debt() {
  while (!debts_.empty() && paid(debts_.front())) debts_.pop_front();
  return debts_.empty() ? nullptr : &debts_.front();
}

std::string BarrierSafety::describe(const Debt& debt) const {
  const State& state = groups_[debt.group];
  const Vertex& v = state.vertices[debt.vertex];
  const std::string who =
      fmt::format("group {}, barrier {}: {}{} owes ", state.gid, debt.barrier, v.kind(), v.id);
  if (debt.upward) return who + "its parent the reduction message";
  return who + fmt::format("{} of {} children the distribution message",
                           (debt.barrier + 1) * v.children - v.to_children, v.children);
}

void BarrierSafety::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  const Debt* debt = oldest_debt();
  require_at(debt == nullptr, cycle, debt ? debtor(*debt) : 0, [&] {
    return describe(*debt) + fmt::format(" since cycle {}, the network is empty", debt->since);
  });
}

}  // namespace muster::checkers
