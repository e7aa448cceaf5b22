// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/recovery.hpp"

#include <iterator>

#include "run/deaths/reroute.hpp"

namespace muster::btin {
namespace {

/// The lowest register of the switch that is in none of `used`.
std::uint32_t lowest_free(const std::vector<RegisterSlot>& used, SwitchId sw) {
  std::uint32_t slot = 0;
  const auto taken = [&](const RegisterSlot& s) { return s.image.sw == sw && s.slot == slot; };
  while (std::ranges::any_of(used, taken)) ++slot;
  return slot;
}

/// The root that was chosen by hand: the survivors reach it, and one is there if it has to answer.
bool can_stay(const Graph& rest, const std::vector<NodeId>& members, const PlannedGroup& group) {
  const std::vector<RootCandidate> roots =
      root_candidates(rest, members, group.reflect ? Roots::kAll : Roots::kMembers);
  return std::ranges::any_of(
      roots, [&](const RootCandidate& candidate) { return candidate.root_switch == *group.root; });
}

/// Members of the group that answer and are connected by what is left: of several parts the one
/// with most of them, of equal ones that with the lowest switch. Ascending.
std::vector<NodeId> survivors_of(fabric::Network& network, const std::vector<NodeId>& members) {
  const Graph& graph = network.graph();
  const run::Survivors left = run::what_answers(network);
  const Graph rest = run::rest_of(graph, left);
  std::vector<NodeId> most;
  std::vector<std::uint8_t> seen(graph.switches(), 0);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!left.switches[s] || seen[s] != 0) continue;
    const std::vector<std::uint32_t> levels = topology::bfs_levels(rest, s);
    std::vector<NodeId> part;
    for (SwitchId other = s; other < graph.switches(); ++other)
      seen[other] |= levels[other] != topology::kUnreachable;
    for (const NodeId n : members)
      if (run::answers(network, n) && levels[graph.node(n).at.sw] != topology::kUnreachable)
        part.push_back(n);
    if (part.size() > most.size()) most = std::move(part);
  }
  return most;
}

}  // namespace

bool lacks_something(fabric::Network& network, const BarrierTree& tree) {
  const Graph& graph = network.graph();
  const run::Survivors left = run::what_answers(network);
  const auto gone = [&](SwitchId s) { return !left.switches[s]; };
  if (std::ranges::any_of(tree.order, gone)) return true;
  for (const NodeId n : tree.members)
    if (!run::answers(network, n)) return true;
  for (std::size_t l = 0; l < graph.links().size(); ++l)
    for (const TreeEdge& edge : tree.edges)
      for (const topology::PortRef& end : {graph.links()[l].a, graph.links()[l].b})
        if (!left.links[l] && end.sw == edge.child && end.port == edge.child_port) return true;
  return false;
}

Regrouped regroup(fabric::Network& network, const PlannedGroup& group, std::uint32_t index,
                  const std::vector<RegisterSlot>& others, std::uint32_t registers) {
  Regrouped next{group, {}, {}, {}};
  const std::vector<NodeId> members = survivors_of(network, group.tree.members);
  std::set_difference(group.tree.members.begin(), group.tree.members.end(), members.begin(),
                      members.end(), std::back_inserter(next.lost));
  if (members.empty()) {
    next.stopped = "no member answers";
    return next;
  }
  const run::Survivors left = run::what_answers(network);
  const Graph rest = run::rest_of(network.graph(), left);
  if (next.planned.root && !can_stay(rest, members, next.planned)) next.planned.root.reset();
  plan_group(next.planned, rest, members);
  for (const RegisterImage& image : register_images(next.planned)) {
    const std::uint32_t slot = lowest_free(others, image.sw);
    if (slot >= registers)
      next.stopped = fmt::format("{} has no free barrier register",
                                 topology::switch_text(network.graph(), image.sw));
    next.slots.push_back({slot, index, image, false});
  }
  return next;
}

}  // namespace muster::btin
