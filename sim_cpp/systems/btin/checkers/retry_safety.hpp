// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
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
 public:
  /// Throws InternalError if a group contradicts the graph or two have one identifier.
  RetrySafety(const Subject& subject, const std::vector<Group>& groups);

  /// Between two cycles: the host has told registers of the group to fail.
  void abort(std::uint32_t gid) { groups_[group_of_.at(gid)].aborted = true; }
  /// From now on the group goes on with this tree and epoch; nothing of it is on any link.
  void regroup(const Group& group, std::uint8_t epoch);

  Sees sees() const override { return {.sync = true, .cycles = true}; }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    if (event.flit.sync()) messages_.push_back(event);
  }
  void end_cycle(std::uint64_t cycle) override {
    if (!messages_.empty()) judge(cycle);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// A member or switch with the edge above it. Barriers count from 1 here: the last one of which a
  /// message has been sent, and the cycle of the first of its messages.
  struct Edge {
    Vertex vertex;
    std::uint64_t up = 0, up_at = kNever, down = 0, down_at = kNever;
    fabric::Payload sent;  ///< data of the last message up
  };
  struct State {
    std::uint32_t gid = 0;
    bool reflect = false;
    fabric::ReduceOp op = fabric::ReduceOp::kOr;
    std::vector<Edge> edges;               ///< by vertex; the top has none
    std::vector<std::uint32_t> vertex_of;  ///< by link (channel / 2), or kNone
    std::uint64_t released = 0;            ///< the last barrier with a release
    fabric::Payload data;                  ///< of that release
    std::uint8_t epoch = 0;
    bool aborted = false;      ///< by the host, in this epoch
    std::uint64_t failed = 0;  ///< the barrier that has failed in this epoch, if one has
  };
  State begin(const Group& group) const;
  void judge(std::uint64_t cycle);
  void failure(std::uint64_t cycle, core::ChannelId channel, State& state, std::uint64_t last,
               const fabric::RetryMessage& message);
  void upward(std::uint64_t cycle, core::ChannelId channel, State& state, std::uint32_t v,
              const fabric::RetryMessage& message);
  void downward(std::uint64_t cycle, core::ChannelId channel, State& state, std::uint32_t v,
                const fabric::RetryMessage& message);
  bool below(const State& state, std::uint32_t v, std::uint32_t top) const;
  fabric::Payload together(std::uint64_t cycle, core::ChannelId channel, const State& state,
                           std::uint32_t top, std::uint64_t barrier);

  std::vector<State> groups_;
  std::vector<std::uint32_t> group_of_;    ///< by group identifier
  std::vector<core::FlitEvent> messages_;  ///< of this cycle
};

}  // namespace muster::checkers
