// SPDX-License-Identifier: Apache-2.0
#include "life/group_life.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"

namespace muster::life {

GroupLife::GroupLife(const topology::Graph& graph, const topology::Routes& routes,
                     network::EndpointBank& nodes)
    : keepers_(plan_keepers(graph, routes)),
      world_{graph, keepers_,
             [&nodes](NodeId node, std::vector<network::Flit> flits) {
               nodes.send_packet(node, std::move(flits));
             },
             [this](NodeId node, std::uint32_t gid, const Verdict& verdict) {
               told(node, gid, verdict);
             }} {
  for (NodeId n = 0; n < graph.nodes(); ++n) nodes_.emplace_back(n, world_);
}

void GroupLife::create(std::uint64_t cycle, std::uint32_t gid, std::vector<NodeId> members,
                       const GroupOptions& options) {
  const NodeId creator = members.front();
  nodes_[creator].create(gid, members, options);
  GroupRecord record;
  record.members = std::move(members);
  record.asked = cycle;
  groups_[gid] = std::move(record);
}

void GroupLife::release(std::uint64_t cycle, std::uint32_t gid) {
  GroupRecord& record = groups_.at(gid);
  if (!record.alive()) throw InternalError(fmt::format("release of group {}: not alive", gid));
  record.told = 0;
  record.asked = cycle;
  for (const NodeId n : record.members) nodes_[n].leave(gid);
}

void GroupLife::told(NodeId node, std::uint32_t gid, const Verdict& verdict) {
  GroupRecord& record = groups_.at(gid);
  const bool same = record.told == 0 || record.verdict.kind == verdict.kind;
  if (!same || !std::binary_search(record.members.begin(), record.members.end(), node)) {
    throw InternalError(
        fmt::format("group {}: n{} has been told otherwise than others, or twice", gid, node));
  }
  record.verdict = verdict;
  ++record.told;
  record.answered = now_;
}

void GroupLife::receive_packet(std::uint64_t cycle, NodeId node,
                               std::span<const network::Flit> flits) {
  now_ = cycle;
  const std::uint8_t opcode = network::Formats::opcode(flits.front());
  if (opcode == network::kOpcodeAnswer && flits.size() == network::kAnswerFlits) {
    return nodes_[node].receive_answer(network::register_answer(flits));
  }
  if (opcode == network::kOpcodeGroup && flits.size() >= 3) {
    return nodes_[node].receive_message(decode(flits));
  }
  throw InternalError(fmt::format("cycle {}, n{}: packet of {} flits with opcode {}", cycle, node,
                                  flits.size(), opcode));
}

void GroupLife::clock(std::uint64_t cycle) {
  now_ = cycle;
  for (GroupNode& node : nodes_) node.clock(cycle);
}

bool GroupLife::settled() const {
  return std::all_of(groups_.begin(), groups_.end(),
                     [](const auto& entry) { return entry.second.settled(); });
}

std::uint64_t GroupLife::repetitions() const {
  std::uint64_t sum = 0;
  for (const GroupNode& node : nodes_) sum += node.repetitions();
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
    case Outcome::kDone:
      break;
  }
  return "no reason";
}

}  // namespace muster::life
