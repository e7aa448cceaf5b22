// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "muster/fabric/barrier_message.hpp"
#include "muster/run/own.hpp"
#include "systems/btin/checkers/spill_messages.hpp"

namespace muster::checkers {

/// A barrier group and its tree, as planned.
struct Group {
  std::vector<topology::NodeId> members;
  /// The member that sends the distribution message; if the root switch reflects, any member.
  topology::NodeId root_node = 0;
  bool reflect = false;  ///< the root switch reflects, which may have no member
  /// For every switch of the tree but the root switch: the port to its parent.
  std::vector<topology::PortRef> uplinks;
  topology::SwitchId root_switch = 0;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the data
  /// With labels, by switch of the tree: the register that messages into it name, and those between
  /// it and its nodes. Empty: all messages have the number of the group.
  std::map<topology::SwitchId, std::uint32_t> registers = {};
};

/// A member or a switch of the tree, with the edge to its parent. Counts are of messages seen on
/// the links; in a correct run `down` <= `up` <= `down` + 1.
struct Vertex {
  static constexpr core::ChannelId kNoChannel = ~core::ChannelId{0};
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  core::ChannelId upward = kNoChannel;  ///< to the parent; the way back is upward ^ 1
  std::uint32_t parent = 0;
  std::uint32_t children = 0;
  bool member = false;                               ///< a node, not a switch
  std::uint32_t id = 0;                              ///< NodeId or SwitchId
  std::uint64_t up = 0;                              ///< reduction messages sent to the parent
  std::uint64_t down = 0;                            ///< distribution messages received from it
  std::uint64_t from_children = 0, to_children = 0;  ///< the same at the other end
  std::uint64_t ready_at = kNever;  ///< cycle of the last reduction message from a child
  std::uint64_t down_at = kNever;   ///< cycle of the last distribution message
  fabric::Payload combined;         ///< of the children's data since `up` last advanced
  fabric::Payload distributed;      ///< data of the last distribution message

  const char* kind() const { return member ? "n" : "switch "; }  ///< before `id` in messages
};

/// Vertices of a group's tree. Vertex 0 is the top: the root switch if it reflects, else the
/// root node, whose only child is the root switch. It has no upward channel; its `down` counts the
/// barriers completed. Throws InternalError if the group contradicts the graph.
inline std::vector<Vertex> barrier_tree(const Group& group, const fabric::Layout& layout) {
  const auto require = [&](bool holds, const std::string& text) {
    if (!holds) throw InternalError("barrier tree: {}", text);
  };
  require(std::ranges::count(group.members, group.root_node) == 1,
          fmt::format("the root node n{} is not a member", group.root_node));
  std::vector<Vertex> vertices;
  std::map<topology::SwitchId, std::uint32_t> vertex_of;
  const auto add = [&](bool member, std::uint32_t id, core::ChannelId upward) {
    const auto next = static_cast<std::uint32_t>(vertices.size());
    require(member || vertex_of.emplace(id, next).second,
            fmt::format("switch {} has two parents", id));
    Vertex& vertex = vertices.emplace_back();
    vertex.member = member;
    vertex.id = id;
    vertex.upward = upward;
  };
  if (!group.reflect) add(true, group.root_node, Vertex::kNoChannel);
  add(false, group.root_switch,
      group.reflect ? Vertex::kNoChannel : layout.into_node(group.root_node));
  std::map<topology::PortRef, core::ChannelId> out;  // to switches
  for (core::ChannelId c = 0; c < layout.channels().size(); ++c) {
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

/// The meaning of a barrier, seen on the links only (BTIN section 3.2, Table 1).
///
/// A member arrives with its reduction message and is released by the distribution message that
/// reaches it; the root node arrives and is released with the distribution message it sends. For
/// each group:
/// - no member is released before all have arrived for that barrier; each arrives and is released
///   once per barrier;
/// - the root node is notified, and sends the distribution, after all others have arrived;
/// - on every edge of the tree each barrier has one reduction message, sent after the switch below
///   has one from each of its children, then one distribution message, sent after the switch above
///   has its own; nothing of the group is seen anywhere else;
/// - data: a reduction message carries what those it combines make together, a distribution
///   message what the switch above it received; the root node's are such that more data could make
///   them of its notification's;
/// - an empty network owes no message.
/// A group that has lost a switch or a member owes nothing any more; the rest holds for it too.
/// "After" means in a later cycle.
class BarrierSafety : public LinkChecker, public OwedMessages {
  using ChannelId = core::ChannelId;
  using FlitEvent = core::FlitEvent;
  using MessageType = fabric::MessageType;
  using Payload = fabric::Payload;
  using SwitchId = topology::SwitchId;

 public:
  /// `groups`: 0, 1, ... `ports`: where they are spilled. Throws InternalError if a group
  /// contradicts the graph.
  BarrierSafety(const Subject& subject, const std::vector<Group>& groups,
                const SpillPorts& ports = {})
      : LinkChecker("barriers", subject), spill_(subject, ports) {
    for (const Group& group : groups) {
      for (const auto& at : group.registers)
        if (!group_of_register_.emplace(at, groups_.size()).second)
          throw InternalError("register {} of switch {} is of two groups", at.second, at.first);
      State state{group.reflect, {}, {}};
      plant(state, group, 0);
      groups_.push_back(std::move(state));
    }
    messages_.reserve(subject.layout.channels().size());
  }

  Sees sees() const override { return {.sync = true, .cycles = true}; }
  void flit(std::uint64_t, const FlitEvent& event) override {
    if (event.flit.sync() && !spill_.carries(event)) messages_.push_back(event);
  }
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override {
    if (!messages_.empty()) judge(cycle);
  }
  void lose(std::uint64_t, const Loss& loss) override {
    for (State& state : groups_)
      state.bereft |= std::ranges::any_of(state.vertices, [&](const Vertex& v) {
        const bool top = &v == &state.vertices[0];  // which has no link upward
        return loss.link ? !top && v.upward / 2 == loss.id
                         : v.member == loss.node && v.id == loss.id;
      });
    std::erase_if(debts_, [&](const Debt& debt) { return groups_[debt.group].bereft; });
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    const Debt* debt = oldest_debt();
    require_at(debt == nullptr, cycle, debt ? debtor(*debt) : 0, [&] {
      return describe(*debt) + fmt::format(" since cycle {}, the network is empty", debt->since);
    });
  }

  /// Group `g` has another tree and other members from barrier `first` on. Nothing of the barriers
  /// before may be open.
  void regroup(std::uint64_t cycle, std::uint32_t g, const Group& group, std::uint64_t first) {
    State& state = groups_[g];
    std::erase_if(debts_, [&](const Debt& debt) {
      const bool ours = debt.group == g;
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
                 g, v.down, v.kind(), v.id, v.up, v.down, v.from_children, v.to_children,
                 v.children);
    }
    plant(state, group, first);
  }

  std::optional<OwedMessage> oldest_owed() override {
    const Debt* debt = oldest_debt();
    if (debt == nullptr) return std::nullopt;
    return OwedMessage{debt->since, debtor(*debt)};
  }
  /// "group 5, barrier 3: switch 2 owes its parent the reduction message"
  std::string describe_oldest() const override { return describe(debts_.front()); }

 private:
  /// A switch that owes its parent a reduction message, or its children distribution messages.
  struct Debt {
    std::uint64_t since;  ///< cycle of the message that made it due
    std::uint32_t group, vertex;
    std::uint64_t barrier;  ///< number of the barrier, from 0
    bool upward;
  };
  struct State {
    bool reflect;
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> vertex_of;  ///< by link (channel / 2), or kNoVertex
    fabric::ReduceOp op = fabric::ReduceOp::kOr;
    std::uint32_t to_arrive = 0;  ///< members that arrive with a reduction message
    std::uint32_t arrived = 0;    ///< of them, for the barrier that is not complete yet
    std::uint64_t arrived_at = Vertex::kNever;    ///< cycle of the last of them
    bool bereft = false;                          ///< of a switch, a link or a member
    std::uint64_t completed = 0;                  ///< barriers for which all have arrived
    std::uint64_t completed_at = Vertex::kNever;  ///< cycle of the last arrival of the last one
  };
  static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0}, kNoVertex = ~std::uint32_t{0};

  /// Of a message on this channel; kNoGroup if there is none.
  std::uint32_t group_of(ChannelId channel, std::uint32_t name) const {
    if (group_of_register_.empty()) return name < groups_.size() ? name : kNoGroup;
    const fabric::End& to = subject_.layout.channels()[channel].to;
    const SwitchId sw = to.node ? subject_.graph.node(to.id).at.sw : to.id;
    const auto at = group_of_register_.find({sw, name});
    return at == group_of_register_.end() ? kNoGroup : at->second;
  }
  /// The tree as if it had served `first` barriers.
  void plant(State& state, const Group& group, std::uint64_t first) const {
    state.vertices = barrier_tree(group, subject_.layout);
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
  Payload none(const State& state) const {
    return fabric::neutral(state.op, subject_.formats.data_width());
  }
  Payload together(const State& state, const Payload& a, const Payload& b) const {
    return fabric::reduce(state.op, a, b, subject_.formats.data_width());
  }
  /// Whether `all` can be what `part` and further data make together.
  bool contains(const State& state, const Payload& all, const Payload& part) const {
    using fabric::ReduceOp;
    const ReduceOp op = state.op == ReduceOp::kSum ? ReduceOp::kMax : state.op;
    return op == ReduceOp::kXor ||
           fabric::reduce(op, all, part, subject_.formats.data_width()) == all;
  }
  void judge(std::uint64_t cycle) {
    // Upward messages first: one that a downward message of the same cycle would have allowed is
    // early. The other way round the cycle numbers in the state tell.
    for (const bool up : {true, false}) {
      for (const FlitEvent& event : messages_) {
        const fabric::BarrierMessage message = subject_.formats.barrier_message(event.flit);
        const std::uint32_t group = group_of(event.channel, message.gid);
        require(group != kNoGroup, cycle, event.channel, "message of the unknown group {}",
                message.gid);
        const std::uint32_t vertex = groups_[group].vertex_of[event.channel / 2];
        require(vertex != kNoVertex, cycle, event.channel, "group {}: not an edge of its tree",
                message.gid);
        const bool upward_channel = groups_[group].vertices[vertex].upward == event.channel;
        const auto type = upward_channel ? MessageType::kReduction : MessageType::kDistribution;
        require(message.type == type, cycle, event.channel,
                "group {}: message of type {} travels {}", message.gid,
                static_cast<int>(message.type), upward_channel ? "up" : "down");
        if (upward_channel != up) continue;
        if (up)
          upward(cycle, event.channel, group, vertex, message.data);
        else
          downward(cycle, event.channel, group, vertex, message.data);
      }
    }
    messages_.clear();
  }
  void upward(std::uint64_t cycle, ChannelId channel, std::uint32_t group, std::uint32_t vertex,
              const Payload& data) {
    State& state = groups_[group];
    Vertex& v = state.vertices[vertex];
    require(v.up == v.down, cycle, channel, "group {}, barrier {}: second {} of {}{}", group,
            v.down, v.member ? "arrival" : "reduction message", v.kind(), v.id);
    if (!v.member) {
      require(v.from_children == (v.up + 1) * v.children && v.ready_at < cycle, cycle, channel,
              "group {}, barrier {}: reduction message of {}{} with {} of {} children", group, v.up,
              v.kind(), v.id, v.from_children - v.up * v.children, v.children);
      require(
          data == v.combined, cycle, channel,
          "group {}, barrier {}: reduction data {:#x}:{:016x}, the children's make {:#x}:{:016x}",
          group, v.up, data.hi, data.lo, v.combined.hi, v.combined.lo);
      v.combined = none(state);
    }
    ++v.up;
    if (v.member) {
      state.arrived_at = cycle;
      if (++state.arrived == state.to_arrive && state.reflect) complete(cycle, state);
    }
    child_arrives(cycle, group, v, data);
  }
  /// All have arrived.
  static void complete(std::uint64_t cycle, State& state) {
    state.arrived = 0;
    state.completed_at = cycle;
    ++state.completed;
  }
  void child_arrives(std::uint64_t cycle, std::uint32_t group, const Vertex& child,
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
  void downward(std::uint64_t cycle, ChannelId channel, std::uint32_t group, std::uint32_t vertex,
                const Payload& data) {
    State& state = groups_[group];
    Vertex& v = state.vertices[vertex];
    Vertex& parent = state.vertices[v.parent];
    if (v.parent == 0 && !state.reflect) {
      root_node_answers(cycle, channel, group, data);
    } else {
      if (v.member) {
        require(v.down < state.completed && state.completed_at < cycle, cycle, channel, [&] {
          return fmt::format(
              "group {}, barrier {}: {}{} released before all have arrived, missing {}", group,
              v.down, v.kind(), v.id, missing(state, v.down));
        });
      }
      require(v.down < parent.down && parent.down_at < cycle, cycle, channel,
              "group {}: distribution message to {}{}, which has had {}; {}{} has had {}", group,
              v.kind(), v.id, v.down, parent.kind(), parent.id, parent.down);
      require(data == parent.distributed, cycle, channel,
              "group {}, barrier {}: distribution data {:#x}:{:016x}, received was {:#x}:{:016x}",
              group, v.down, data.hi, data.lo, parent.distributed.hi, parent.distributed.lo);
    }
    ++parent.to_children;
    ++v.down;
    v.down_at = cycle;
    v.distributed = data;
    if (!v.member) owe({cycle, group, vertex, v.down - 1, false});
  }
  void root_node_answers(std::uint64_t cycle, ChannelId channel, std::uint32_t group,
                         const Payload& data) {
    State& state = groups_[group];
    Vertex& root = state.vertices[0];
    require(state.arrived == state.to_arrive && state.arrived_at < cycle, cycle, channel, [&] {
      return fmt::format("group {}, barrier {}: distribution before all have arrived, missing {}",
                         group, root.down, missing(state, root.down));
    });
    require(root.from_children == root.down + 1 && root.ready_at < cycle, cycle, channel,
            "group {}, barrier {}: distribution without notification of the root node", group,
            root.down);
    require(
        contains(state, data, root.combined), cycle, channel,
        "group {}, barrier {}: root node clears bits, sends {:#x}:{:016x}, received {:#x}:{:016x}",
        group, root.down, data.hi, data.lo, root.combined.hi, root.combined.lo);
    root.combined = none(state);
    ++root.down;
    root.down_at = cycle;
    complete(cycle, state);
  }
  std::string missing(const State& state, std::uint64_t barrier) const {
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
  bool paid(const Debt& debt) const {
    const Vertex& v = groups_[debt.group].vertices[debt.vertex];
    return debt.upward ? v.up > debt.barrier : v.to_children >= (debt.barrier + 1) * v.children;
  }
  void owe(const Debt& debt) {
    if (!groups_[debt.group].bereft) debts_.push_back(debt);
  }
  /// The oldest debt of all that is still open, or null.
  const Debt* oldest_debt() {
    while (!debts_.empty() && paid(debts_.front())) debts_.pop_front();
    return debts_.empty() ? nullptr : &debts_.front();
  }
  std::string describe(const Debt& debt) const {
    const Vertex& v = groups_[debt.group].vertices[debt.vertex];
    const std::string who =
        fmt::format("group {}, barrier {}: {}{} owes ", debt.group, debt.barrier, v.kind(), v.id);
    if (debt.upward) return who + "its parent the reduction message";
    return who + fmt::format("{} of {} children the distribution message",
                             (debt.barrier + 1) * v.children - v.to_children, v.children);
  }
  SwitchId debtor(const Debt& debt) const { return groups_[debt.group].vertices[debt.vertex].id; }

  SpillChannels spill_;
  std::vector<State> groups_;
  /// With labels: by switch and register.
  std::map<std::pair<SwitchId, std::uint32_t>, std::uint32_t> group_of_register_;
  std::vector<FlitEvent> messages_;  ///< of this cycle
  std::deque<Debt> debts_;           ///< by age; paid ones leave when they are the oldest
};

/// What checkers know of the groups of a run with trees of registers.
struct BarrierTrees : run::CheckedGroups {
  std::vector<Group> groups;
  SpillPorts spill;
  bool repeated = false;  ///< messages are, which links may lose and double
};

}  // namespace muster::checkers
