// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/own.hpp"
#include "muster/topology/graph.hpp"
#include "systems/btin/checkers/spill_messages.hpp"

namespace muster::checkers {

/// A barrier group and its tree, as planned.
struct Group {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  /// The member that sends the distribution message; if the root switch reflects, any member.
  topology::NodeId root_node = 0;
  bool reflect = false;  ///< the root switch reflects, which may have no member
  /// For every switch of the tree but the root switch: the port to its parent.
  std::vector<topology::PortRef> uplinks;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the data
  /// With labels, by switch of the tree: the register that messages into it name, and those between
  /// it and its nodes. Empty: all messages have `gid`.
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
std::vector<Vertex> barrier_tree(const Group& group, const topology::Graph& graph,
                                 const fabric::Layout& layout);

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
 public:
  /// `ports`: where groups are spilled. Throws InternalError if a group contradicts the graph or
  /// two have one identifier.
  BarrierSafety(const Subject& subject, const std::vector<Group>& groups,
                const SpillPorts& ports = {});

  Sees sees() const override { return {.sync = true, .cycles = true}; }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    if (event.flit.sync() && !spill_.carries(event)) messages_.push_back(event);
  }
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override {
    if (!messages_.empty()) judge(cycle);
  }
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void finish(std::uint64_t cycle, bool drained) override;

  /// The group, which is known, has another tree and other members from barrier `first` on. Nothing
  /// of the barriers before may be open.
  void regroup(std::uint64_t cycle, const Group& group, std::uint64_t first);

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
    std::uint32_t gid;
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
  std::uint32_t group_of(core::ChannelId channel, std::uint32_t name) const;
  void plant(State& state, const Group& group, std::uint64_t first) const;
  fabric::Payload none(const State& state) const;
  fabric::Payload together(const State& state, const fabric::Payload& a,
                           const fabric::Payload& b) const;
  bool contains(const State& state, const fabric::Payload& all, const fabric::Payload& part) const;
  void judge(std::uint64_t cycle);
  void upward(std::uint64_t cycle, core::ChannelId channel, std::uint32_t group,
              std::uint32_t vertex, const fabric::Payload& data);
  void member_arrives(std::uint64_t cycle, std::uint32_t group);
  void child_arrives(std::uint64_t cycle, std::uint32_t group, const Vertex& child,
                     const fabric::Payload& data);
  void downward(std::uint64_t cycle, core::ChannelId channel, std::uint32_t group,
                std::uint32_t vertex, const fabric::Payload& data);
  void root_node_answers(std::uint64_t cycle, core::ChannelId channel, std::uint32_t group,
                         const fabric::Payload& data);
  std::string missing(const State& state, std::uint64_t barrier) const;
  bool paid(const Debt& debt) const;
  void owe(const Debt& debt) {
    if (!groups_[debt.group].bereft) debts_.push_back(debt);
  }
  /// The oldest debt of all that is still open, or null.
  const Debt* oldest_debt();
  std::string describe(const Debt& debt) const;
  topology::SwitchId debtor(const Debt& debt) const {
    return groups_[debt.group].vertices[debt.vertex].id;
  }

  SpillChannels spill_;
  std::vector<State> groups_;
  std::vector<std::uint32_t> group_of_;  ///< by group identifier
  /// With labels: by switch and register.
  std::map<std::pair<topology::SwitchId, std::uint32_t>, std::uint32_t> group_of_register_;
  std::vector<core::FlitEvent> messages_;  ///< of this cycle
  std::deque<Debt> debts_;                 ///< by age; paid ones leave when they are the oldest
};

}  // namespace muster::checkers

namespace muster::btin {

/// What checkers know of the groups of a run with trees of registers.
struct Checked : run::CheckedGroups {
  std::vector<checkers::Group> groups;
  checkers::SpillPorts spill;
  bool repeated = false;  ///< messages are, which links may lose and double
};

}  // namespace muster::btin
