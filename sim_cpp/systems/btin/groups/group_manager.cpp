// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/group_manager.hpp"

#include <fmt/format.h>

#include <algorithm>

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

void GroupManager::use(GroupUser& user) {
  const auto counts = [this](std::uint32_t gid) {
    return ChangeRecorder::Counts{now_, change_messages(gid), requests()};
  };
  recorder_ = std::make_unique<ChangeRecorder>(user, counts,
                                               [this](const ChangeRecord& r) { finished(r); });
  user_ = recorder_.get();
}

void GroupManager::request(std::uint32_t gid, NodeId node, bool join, std::uint64_t barrier) {
  nodes_[node].changes().request(gid, join, barrier);
}

void GroupManager::declare_dead(topology::PortRef link, topology::Graph rest) {
  versions_.add(link, std::move(rest));
  for (GroupNode& node : nodes_) node.changes().look_at_all();
}

bool GroupManager::uses(topology::PortRef link) const {
  // What is being planned may use it too.
  return !settled() || changing() ||
         std::any_of(nodes_.begin(), nodes_.end(),
                     [&](const GroupNode& node) { return node.uses(link); });
}

bool GroupManager::changing() const {
  return user_ != nullptr && std::any_of(nodes_.begin(), nodes_.end(), [](const GroupNode& node) {
           return !node.changes().idle() || node.keeper().working();
         });
}

bool GroupManager::heard() const {
  return !world_.lossy || std::all_of(nodes_.begin(), nodes_.end(),
                                      [](const GroupNode& node) { return node.heard(); });
}

bool GroupManager::keepers_wanted() const {
  if (world_.evict_after == 0) return false;
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [](const GroupNode& node) { return node.keeper().wanted(); });
}

std::uint64_t GroupManager::moves_refused() const {
  std::uint64_t sum = 0;
  for (const GroupNode& node : nodes_) sum += node.keeper().refused();
  return sum;
}

void GroupManager::finished(const ChangeRecord& change) {
  if (change.outcome != Outcome::kDone || change.move) return;
  GroupRecord& record = groups_.at(change.gid);
  for (const NodeId n : change.joined) record.members.push_back(n);
  for (const NodeId n : change.left) std::erase(record.members, n);
  std::sort(record.members.begin(), record.members.end());
  record.told = static_cast<std::uint32_t>(record.members.size());
}

std::uint64_t GroupManager::change_messages(std::uint32_t gid) const {
  std::uint64_t sum = 0;
  for (const GroupNode& node : nodes_) sum += node.change_messages(gid);
  return sum;
}

std::uint64_t GroupManager::requests() const {
  std::uint64_t sum = 0;
  for (const GroupNode& node : nodes_) sum += node.requests();
  return sum;
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

bool GroupManager::settled() const {
  return std::all_of(groups_.begin(), groups_.end(),
                     [](const auto& entry) { return entry.second.settled(); });
}

std::uint64_t GroupManager::repetitions() const {
  std::uint64_t sum = 0;
  for (const GroupNode& node : nodes_) sum += node.repetitions();
  return sum;
}

std::uint64_t GroupManager::repeated_messages() const {
  std::uint64_t sum = 0;
  for (const GroupNode& node : nodes_) sum += node.repeated_messages();
  return sum;
}

std::string describe(const Verdict& refusal) {
  switch (refusal.reason) {
    case Outcome::kNoRegister:
      return fmt::format("no free barrier register on switch {}", refusal.sw);
    case Outcome::kNoPermit:
      return fmt::format("switch {} accepts no writes from its node's port", refusal.sw);
    case Outcome::kIdInUse:
      return "its identifier is in use";
    case Outcome::kNotHere:
      return fmt::format("switch {} does not hold it in a barrier register", refusal.sw);
    case Outcome::kNoGroup:
      return "there is no such group";
    case Outcome::kMember:
      return "a member cannot join, another cannot leave";
    case Outcome::kEmpty:
      return "no member would be left";
    case Outcome::kEnded:
      return "its last barrier is over";
    case Outcome::kBusy:
      return "it is in a barrier, or another change of it is under way";
    case Outcome::kDone:
      break;
  }
  return "no reason";
}

}  // namespace muster::btin
