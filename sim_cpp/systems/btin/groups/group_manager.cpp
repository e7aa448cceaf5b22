// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/group_manager.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"

namespace muster::btin {

GroupManager::GroupManager(const topology::Graph& graph, const topology::Routes& routes,
                           fabric::EndpointBank& nodes, const ManagerOptions& options)
    : losses_(options.loss, options.seed),
      homes_(fabric::plan_home_nodes(graph, routes)),
      versions_(graph),
      world_{graph,
             versions_,
             homes_,
             user_,
             [this, &nodes](NodeId node, std::vector<core::Flit> flits) {
               if (!losses_.loses()) nodes.send_packet(node, std::move(flits));
             },
             [this](NodeId node, std::uint32_t gid, const Verdict& verdict) {
               told(node, gid, verdict);
             },
             [this](std::uint32_t gid) { begun_[gid] = counts(gid); },
             [this](const ChangeRecord& r, const BarrierTree& tree) { changed(r, tree); },
             options.spill,
             options.evict_after,
             options.loss != 0.0} {
  for (NodeId n = 0; n < graph.nodes(); ++n) nodes_.emplace_back(n, world_);
}

void GroupManager::create(std::uint64_t cycle, std::uint32_t gid, std::vector<NodeId> members,
                          const GroupOptions& options) {
  const NodeId creator = members.front();
  nodes_[creator].create(gid, members, options);
  GroupRecord record;
  record.members = std::move(members);
  record.asked = cycle;
  groups_[gid] = std::move(record);
}

void GroupManager::release(std::uint64_t cycle, std::uint32_t gid) {
  GroupRecord& record = groups_.at(gid);
  if (!record.alive()) throw InternalError(fmt::format("release of group {}: not alive", gid));
  record.told = 0;
  record.asked = cycle;
  for (const NodeId n : record.members) nodes_[n].leave(gid);
}

// ---- Changes ---------------------------------------------------------------------------------

void GroupManager::declare_dead(topology::PortRef link, topology::Graph rest) {
  versions_.add(link, std::move(rest));
  for (GroupNode& node : nodes_) node.changes().look_at_all();
}

bool GroupManager::uses(topology::PortRef link) const {
  // What is being planned may use it too.
  return !settled() || changing() || any([&](const GroupNode& node) { return node.uses(link); });
}

bool GroupManager::changing() const {
  return user_ != nullptr && any([](const GroupNode& node) {
           return !node.changes().idle() || node.keeper().working();
         });
}

GroupManager::Counts GroupManager::counts(std::uint32_t gid) const {
  return {now_, sum([&](const GroupNode& node) { return node.change_messages(gid); }),
          sum([](const GroupNode& node) { return node.requests(); })};
}

/// Completes the record of a change that is over.
void GroupManager::changed(ChangeRecord record, const BarrierTree& tree) {
  const auto begun = begun_.extract(record.gid);
  if (!begun) throw InternalError(fmt::format("group {}: a change that was not begun", record.gid));
  const Counts from = begun.mapped(), to = counts(record.gid);
  record.decided = from.cycle;
  record.finished = to.cycle;
  record.messages = to.messages - from.messages;
  record.requests = to.requests - from.requests;
  if (record.outcome == Outcome::kDone && !record.move) {
    GroupRecord& group = groups_.at(record.gid);
    for (const NodeId n : record.joined) group.members.push_back(n);
    for (const NodeId n : record.left) std::erase(group.members, n);
    std::sort(group.members.begin(), group.members.end());
    group.told = static_cast<std::uint32_t>(group.members.size());
  }
  user_->changed(record, tree);
}

void GroupManager::told(NodeId node, std::uint32_t gid, const Verdict& verdict) {
  GroupRecord& record = groups_.at(gid);
  const bool same = record.told == 0 || record.verdict.kind == verdict.kind;
  if (!same || !std::binary_search(record.members.begin(), record.members.end(), node)) {
    throw InternalError(
        fmt::format("group {}: n{} was notified differently from others, or twice", gid, node));
  }
  record.verdict = verdict;
  ++record.told;
  record.answered = now_;
}

void GroupManager::receive_packet(std::uint64_t cycle, NodeId node,
                                  std::span<const core::Flit> flits) {
  now_ = cycle;
  const std::uint8_t opcode = fabric::Formats::opcode(flits.front());
  if (opcode == fabric::kOpcodeAnswer && flits.size() == fabric::kAnswerFlits) {
    if (losses_.loses()) return;
    return nodes_[node].receive_answer(fabric::register_answer(flits));
  }
  if (opcode == fabric::kOpcodeGroup && flits.size() >= 3) {
    return nodes_[node].receive_message(decode(flits));
  }
  throw InternalError(fmt::format("cycle {}, n{}: packet of {} flits with opcode {}", cycle, node,
                                  flits.size(), opcode));
}

void GroupManager::clock(std::uint64_t cycle) {
  now_ = cycle;
  for (GroupNode& node : nodes_) node.clock(cycle);
}

std::string describe(const Verdict& refusal) {
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
