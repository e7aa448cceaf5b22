// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/network.hpp"
#include "systems/btin/groups/group_node.hpp"

namespace muster::btin {

/// A group as seen from outside: what its members have been told so far, and when. Cycles.
struct GroupRecord {
  std::vector<NodeId> members;  ///< ascending, after the last change that is finished
  Verdict verdict;              ///< the last one told
  std::uint32_t told = 0;       ///< members that have been told it
  std::uint64_t asked = 0;      ///< creation, later release, was asked for
  std::uint64_t answered = 0;   ///< the last member was told

  /// All who are to be told have been: all members, or of an id in use the creator alone.
  bool settled() const {
    return told == (verdict.reason == Outcome::kIdInUse ? 1 : members.size());
  }
  bool alive() const { return settled() && verdict.kind == Verdict::Kind::kAlive; }
};

/// The software of all nodes of a network that creates, changes and releases groups. The owner
/// of the nodes' packets passes them on.
class GroupManager {
 public:
  /// The network's switches must have their permits (fabric::HomeNodes::permits) and routes.
  /// `spill`: the memory of the nodes for groups without register; null if there is none. `seed`
  /// chooses the packets that are lost.
  GroupManager(const topology::Graph& graph, const topology::Routes& routes,
               fabric::EndpointBank& nodes, SpillNodes* spill, const Spec& spec, std::uint64_t seed)
      : loss_(spec.setup_drop),
        seed_(mix64(seed ^ kStream)),
        homes_(fabric::plan_home_nodes(graph, routes)),
        versions_(graph),
        world_{graph,
               versions_,
               homes_,
               user_,
               [this, &nodes](NodeId node, std::vector<core::Flit> flits) {
                 if (!loses_next()) nodes.send_packet(node, std::move(flits));
               },
               [this](NodeId node, std::uint32_t gid, const Verdict& verdict) {
                 told(node, gid, verdict);
               },
               [this](std::uint32_t gid) { begun_[gid] = counts(gid); },
               [this](const ChangeRecord& r, const BarrierTree& tree) { changed(r, tree); },
               spill,
               spec.evict_after,
               spec.setup_drop != 0.0} {
    for (NodeId n = 0; n < graph.nodes(); ++n) nodes_.emplace_back(n, world_);
  }

  /// The lowest member creates a group. REQUIRES: no group with this identifier is being created or
  /// released; the members exist, ascending.
  void create(std::uint64_t cycle, std::uint32_t gid, std::vector<NodeId> members,
              const GroupOptions& options) {
    nodes_[members.front()].create(gid, members, options);
    groups_[gid] = {.members = std::move(members), .verdict = {}, .asked = cycle};
  }
  /// All members leave an alive group.
  void release(std::uint64_t cycle, std::uint32_t gid) {
    GroupRecord& record = groups_.at(gid);
    if (!record.alive()) throw InternalError("release of group {}: not alive", gid);
    record.told = 0;
    record.asked = cycle;
    for (const NodeId n : record.members) nodes_[n].leave(gid);
  }

  // Changes of live groups; use() comes first.

  /// Who has the barriers. Outlives the last clock().
  void use(GroupUser& user) { user_ = &user; }
  /// The node requests to be a member, or none, from a barrier of the group on.
  void request(std::uint32_t gid, NodeId node, bool join, std::uint64_t barrier) {
    nodes_[node].changes().request(gid, join, barrier);
  }
  /// A link, named by one end, has been declared dead: trees move away from it. `rest` is the
  /// network without it, connected.
  void declare_dead(topology::PortRef link, topology::Graph rest) {
    versions_.add(link, std::move(rest));
    for (GroupNode& node : nodes_) node.changes().look_at_all();
  }
  /// The permits of the homes with these routes, by switch.
  std::vector<core::PortMask> permits(const topology::Routes& routes) const {
    return fabric::permits(world_.graph, routes, homes_.node);
  }
  /// A tree uses the link, or may: as long as some group is created, released or changed, or is to
  /// be changed, that counts for it.
  bool uses(topology::PortRef link) const {
    // What is being planned may use it too.
    return !settled() || changing() || any([&](const GroupNode& node) { return node.uses(link); });
  }
  /// A request waits for the end of a change.
  bool changing() const {
    return user_ != nullptr && any([](const GroupNode& node) {
             return !node.changes().idle() || node.keeper().working();
           });
  }
  /// No node waits to hear that a message has come, where they can be lost.
  bool heard() const {
    return !world_.lossy || !any([](const GroupNode& node) { return !node.heard(); });
  }
  /// A keeper of a switch has not looked at groups that have been used.
  bool keepers_wanted() const {
    return world_.evict_after != 0 &&
           any([](const GroupNode& node) { return node.keeper().wanted(); });
  }

  /// A packet with opcode kOpcodeAnswer or kOpcodeGroup has come to a node.
  void receive_packet(std::uint64_t cycle, NodeId node, std::span<const core::Flit> flits) {
    now_ = cycle;
    const std::uint8_t opcode = fabric::Formats::opcode(flits.front());
    if (opcode == fabric::kOpcodeAnswer && flits.size() == fabric::kAnswerFlits) {
      if (loses_next()) return;
      return nodes_[node].receive_answer(fabric::register_answer(flits));
    }
    if (opcode == fabric::kOpcodeGroup && flits.size() >= 3)
      return nodes_[node].receive_message(decode(flits));
    throw InternalError("cycle {}, n{}: packet of {} flits with opcode {}", cycle, node,
                        flits.size(), opcode);
  }
  void clock(std::uint64_t cycle) {
    now_ = cycle;
    for (GroupNode& node : nodes_) node.clock(cycle);
  }

  const GroupRecord& group(std::uint32_t gid) const { return groups_.at(gid); }
  /// No node waits for an answer of another node or of a switch.
  bool settled() const {
    return std::ranges::all_of(groups_, [](const auto& entry) { return entry.second.settled(); });
  }
  /// What has been repeated, lost and refused so far.
  void add_to(Result& result) const {
    for (const GroupNode& node : nodes_) {
      result.repeated_requests += node.repetitions();
      result.repeated_messages += node.repeated_messages();
      result.moves_refused += node.keeper().refused();
    }
    result.lost_packets = lost_;
  }

 private:
  static constexpr std::uint64_t kStream = 0x6c6f737365;  ///< apart from others of the same seed

  /// The next packet of group membership is lost: fault injection at the nodes, since the network
  /// itself loses none.
  bool loses_next() {
    const bool loses = loss_ != 0.0 && Rng(seed_, packets_++).uniform() < loss_;
    lost_ += loses;
    return loses;
  }
  /// The clock, and what has been sent so far.
  struct Counts {
    std::uint64_t cycle = 0;
    std::uint64_t messages = 0;  ///< for changes of a group
    std::uint64_t requests = 0;  ///< to switches
  };
  Counts counts(std::uint32_t gid) const {
    return {now_, sum([&](const GroupNode& node) { return node.change_messages(gid); }),
            sum([](const GroupNode& node) { return node.requests(); })};
  }
  /// Of all nodes together.
  template <class Number>
  std::uint64_t sum(Number&& number) const {
    std::uint64_t sum = 0;
    for (const GroupNode& node : nodes_) sum += number(node);
    return sum;
  }
  template <class Holds>
  bool any(Holds&& holds) const {
    return std::ranges::any_of(nodes_, holds);
  }
  /// Completes the record of a change that is over.
  void changed(ChangeRecord record, const BarrierTree& tree) {
    const auto begun = begun_.extract(record.gid);
    if (!begun) throw InternalError("group {}: a change that was not begun", record.gid);
    const Counts from = begun.mapped(), to = counts(record.gid);
    record.decided = from.cycle;
    record.finished = to.cycle;
    record.messages = to.messages - from.messages;
    record.requests = to.requests - from.requests;
    if (record.outcome == Outcome::kDone && !record.move) {
      GroupRecord& group = groups_.at(record.gid);
      for (const NodeId n : record.joined) group.members.push_back(n);
      for (const NodeId n : record.left) std::erase(group.members, n);
      std::ranges::sort(group.members);
      group.told = static_cast<std::uint32_t>(group.members.size());
    }
    user_->changed(record, tree);
  }
  void told(NodeId node, std::uint32_t gid, const Verdict& verdict) {
    GroupRecord& record = groups_.at(gid);
    const bool same = record.told == 0 || record.verdict.kind == verdict.kind;
    if (!same || !std::ranges::binary_search(record.members, node))
      throw InternalError("group {}: n{} was notified differently from others, or twice", gid,
                          node);
    record.verdict = verdict;
    ++record.told;
    record.answered = now_;
  }

  double loss_;  ///< share of the packets
  std::uint64_t seed_, packets_ = 0, lost_ = 0;
  fabric::HomeNodes homes_;
  NetworkVersions versions_;
  GroupUser* user_ = nullptr;
  NodeWorld world_;
  std::deque<GroupNode> nodes_;
  std::map<std::uint32_t, GroupRecord> groups_;
  std::map<std::uint32_t, Counts> begun_;  ///< when the change under way of a group began
  std::uint64_t now_ = 0;
};

/// "no free barrier register on switch 5"
inline std::string describe(const Verdict& refusal) {
  static constexpr const char* kReasons[] = {
      "no reason",
      "no free barrier register on switch {}",
      "switch {} accepts no writes from its node's port",
      "its identifier is in use",
      "switch {} does not hold it in a barrier register",
      "there is no such group",
      "a member cannot join, another cannot leave",
      "no member would be left",
      "its last barrier is over",
      "it is in a barrier, or another change of it is under way"};
  return fmt::format(fmt::runtime(kReasons[static_cast<unsigned>(refusal.reason)]), refusal.sw);
}

}  // namespace muster::btin
