// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/checkers/barrier_safety.hpp"

namespace muster::checkers {

/// The meaning of a barrier where messages are repeated (docs/reliability.md), seen where they are
/// sent, before a link loses or doubles them. On each way of an edge messages of one phase in a row
/// are of one barrier; the first have phase 0 and are of barrier 0. For each group:
/// - a member sends nothing of barrier b + 1 before a release from barrier b has been sent to it;
/// - a switch sends its parent a message of barrier b only after all members below it have arrived
///   at b, and with what their data make together; a repetition has the same data;
/// - a release from barrier b is sent only after all members have arrived at b (the root node, if
///   it answers in place of its switch, with that release), and only by a top or by a switch to
///   which one was sent; all have the same data, those of all members;
/// - releases are of the last barrier that all have arrived at;
/// - nothing of the group is seen anywhere else, and nothing of another epoch;
/// - a failure is seen only of an epoch that the host has aborted, of the barrier behind the last
///   that was released, without data; and no release from that barrier in this epoch.
/// "After" means in a later cycle. That members wait no more than a bound is not its matter.
class RetrySafety : public LinkChecker {
  using ChannelId = core::ChannelId;
  using MessageType = fabric::MessageType;
  using Payload = fabric::Payload;
  using RetryMessage = fabric::RetryMessage;

 public:
  /// `groups`: 0, 1, ... Throws InternalError if one contradicts the graph.
  RetrySafety(const Subject& subject, const std::vector<Group>& groups)
      : LinkChecker("barriers with loss", subject) {
    for (const Group& group : groups)
      groups_.push_back(begin(static_cast<std::uint32_t>(groups_.size()), group));
  }

  /// Between two cycles: the host has told registers of the group to fail.
  void abort(std::uint32_t gid) { groups_[gid].aborted = true; }
  /// From now on the group goes on with this tree and epoch; nothing of it is on any link.
  void regroup(std::uint32_t gid, const Group& group, std::uint8_t epoch) {
    groups_[gid] = begin(gid, group);
    groups_[gid].epoch = epoch;
  }

  Sees sees() const override { return {.sync = true, .cycles = true}; }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    if (event.flit.sync()) messages_.push_back(event);
  }
  void end_cycle(std::uint64_t cycle) override {
    if (!messages_.empty()) judge(cycle);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// A member or switch with the edge above it. `up` and `down` are the last barrier, from 1, of
  /// which a message has been sent, `up_at` and `down_at` the cycle of the first of its messages.
  struct Edge : Vertex {
    std::uint64_t up_at = kNever;
    Payload sent;  ///< data of the last message up
  };
  struct State {
    std::uint32_t gid = 0;
    bool reflect = false;
    fabric::ReduceOp op = fabric::ReduceOp::kOr;
    std::vector<Edge> edges;               ///< by vertex; the top has none
    std::vector<std::uint32_t> vertex_of;  ///< by link (channel / 2), or kNone
    std::uint64_t released = 0;            ///< the last barrier with a release
    Payload data;                          ///< of that release
    std::uint8_t epoch = 0;
    bool aborted = false;      ///< by the host, in this epoch
    std::uint64_t failed = 0;  ///< the barrier that has failed in this epoch, if one has
  };
  /// The number of the barrier that a message of this phase is about, of the last one that was seen
  /// on its way and the next.
  static std::uint64_t number(std::uint64_t last, bool phase) {
    const bool next_phase = (last & 1) != 0;
    return phase == next_phase ? last + 1 : last;
  }
  State begin(std::uint32_t gid, const Group& group) const {
    State state;
    state.gid = gid;
    state.reflect = group.reflect;
    state.op = group.op;
    for (const Vertex& vertex : barrier_tree(group, subject_.layout))
      state.edges.push_back({vertex, Vertex::kNever, {}});
    state.vertex_of.assign(subject_.layout.channels().size() / 2, kNone);
    for (std::uint32_t v = 1; v < state.edges.size(); ++v)
      state.vertex_of[state.edges[v].upward / 2] = v;
    return state;
  }
  void judge(std::uint64_t cycle) {
    for (const core::FlitEvent& event : messages_) {
      const RetryMessage message =
          fabric::retry_message(subject_.formats, subject_.formats.barrier_message(event.flit));
      require(message.gid < groups_.size(), cycle, event.channel, "message of the unknown group {}",
              message.gid);
      State& state = groups_[message.gid];
      const std::uint32_t v = state.vertex_of[event.channel / 2];
      require(v != kNone, cycle, event.channel, "group {}: not an edge of its tree", message.gid);
      const bool up = state.edges[v].upward == event.channel;
      const auto type = up ? MessageType::kReduction : MessageType::kDistribution;
      const bool expected = message.type == type && message.epoch == state.epoch;
      require(expected && (!message.fail || state.aborted), cycle, event.channel,
              "group {}: message of type {}, epoch {}{} travels {}", message.gid,
              static_cast<int>(message.type), message.epoch, message.fail ? ", failed," : "",
              up ? "up" : "down");
      if (message.fail)
        failure(cycle, event.channel, state, up ? state.edges[v].up : state.edges[v].down, message);
      else if (up)
        upward(cycle, event.channel, state, v, message);
      else
        downward(cycle, event.channel, state, v, message);
    }
    messages_.clear();
  }
  /// `last`: the barrier of the last message that was seen on this way of the edge. One that has
  /// gone up is of the barrier that fails, or of the one before it.
  void failure(std::uint64_t cycle, ChannelId channel, State& state, std::uint64_t last,
               const RetryMessage& message) {
    const std::uint64_t barrier = number(last, message.phase);
    require(barrier == state.released + 1 && message.data == Payload{}, cycle, channel,
            "group {}: barrier {} fails, released is barrier {}", state.gid,
            static_cast<std::int64_t>(barrier) - 1, static_cast<std::int64_t>(state.released) - 1);
    state.failed = barrier;
  }
  void upward(std::uint64_t cycle, ChannelId channel, State& state, std::uint32_t v,
              const RetryMessage& message) {
    Edge& edge = state.edges[v];
    const std::uint64_t barrier = number(edge.up, message.phase);
    require(barrier != 0, cycle, channel, "group {}: the first message of {}{} is of phase 1",
            state.gid, edge.kind(), edge.id);
    if (barrier == edge.up) {
      require(message.data == edge.sent, cycle, channel,
              "group {}, barrier {}: {}{} repeats its message with other data", state.gid,
              barrier - 1, edge.kind(), edge.id);
      return;
    }
    require(edge.down == edge.up && (edge.down == 0 || edge.down_at < cycle), cycle, channel,
            "group {}, barrier {}: {}{} goes on without a release", state.gid, barrier - 1,
            edge.kind(), edge.id);
    if (!edge.member) {
      const Payload all = together(cycle, channel, state, v, barrier);
      require(message.data == all, cycle, channel,
              "group {}, barrier {}: {}{} sends other data than those of its members", state.gid,
              barrier - 1, edge.kind(), edge.id);
    }
    edge.up = barrier;
    edge.up_at = cycle;
    edge.sent = message.data;
  }
  void downward(std::uint64_t cycle, ChannelId channel, State& state, std::uint32_t v,
                const RetryMessage& message) {
    Edge& edge = state.edges[v];
    const std::uint64_t barrier = number(edge.down, message.phase);
    const auto demand = [&](bool holds, const char* what) {
      require(holds, cycle, channel, "group {}, barrier {}: {}", state.gid, barrier - 1, what);
    };
    require(barrier != 0, cycle, channel, "group {}: the first release to {}{} is of phase 1",
            state.gid, edge.kind(), edge.id);
    if (barrier > state.released) {
      // The root node's own data are in none of the messages, but they can add to the others alone.
      const Payload others = together(cycle, channel, state, 0, barrier);
      demand(edge.parent == 0, "the first release is not the top's");
      demand(barrier != state.failed, "released, and it has failed");
      demand(!state.reflect || message.data == others,
             "released with other data than those of the members");
      state.released = barrier;
      state.data = message.data;
    }
    demand(barrier == state.released && message.data == state.data,
           "a release of an old barrier or with other data");
    if (edge.parent != 0) {
      const Edge& above = state.edges[edge.parent];
      require(above.down > barrier || (above.down == barrier && above.down_at < cycle), cycle,
              channel, "group {}, barrier {}: {}{} has had no release", state.gid, barrier - 1,
              above.kind(), above.id);
    }
    if (barrier == edge.down) return;
    edge.down = barrier;
    edge.down_at = cycle;
  }
  bool below(const State& state, std::uint32_t v, std::uint32_t top) const {
    while (v != top && v != 0) v = state.edges[v].parent;
    return v == top;
  }
  /// What the members below `top` have brought to a barrier; they have arrived at it before.
  Payload together(std::uint64_t cycle, ChannelId channel, const State& state, std::uint32_t top,
                   std::uint64_t barrier) {
    const unsigned width = fabric::retry_data_width(subject_.formats);
    Payload all = fabric::neutral(state.op, width);
    for (std::uint32_t v = 1; v < state.edges.size(); ++v) {
      const Edge& edge = state.edges[v];
      if (!edge.member || !below(state, v, top)) continue;
      require(edge.up >= barrier && (edge.up > barrier || edge.up_at < cycle), cycle, channel,
              "group {}, barrier {}: {}{} has not arrived", state.gid, barrier - 1, edge.kind(),
              edge.id);
      all = fabric::reduce(state.op, all, edge.sent, width);
    }
    return all;
  }

  std::vector<State> groups_;
  std::vector<core::FlitEvent> messages_;  ///< of this cycle
};

}  // namespace muster::checkers
