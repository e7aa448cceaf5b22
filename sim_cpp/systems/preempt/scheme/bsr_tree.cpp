// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/scheme/bsr_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/rng.hpp"
#include "topology/member_list.hpp"

namespace muster::preempt {

using topology::Graph;
using topology::NodeId;
using topology::Routes;
using topology::SwitchId;

namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

/// The deterministic routes of switches to one of them.
class WaysTo {
 public:
  WaysTo(const Graph& graph, const Routes& routes, SwitchId target)
      : graph_(graph), routes_(routes), target_(target), level_(graph.switches(), kUnknown) {
    level_[target] = 0;
  }

  /// Links from `s` to the target. Calls enter(parent, port of the parent, child) for each switch
  /// on the way that no earlier call has met, the nearest to the target first.
  template <class Enter>
  std::uint32_t walk(SwitchId s, Enter&& enter) {
    path_.clear();
    for (SwitchId at = s; level_[at] == kUnknown; at = next(at).id) path_.push_back(at);
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      const topology::Peer& above = next(*at);
      level_[*at] = level_[above.id] + 1;
      enter(above.id, above.port, *at);
    }
    return level_[s];
  }

 private:
  const topology::Peer& next(SwitchId s) const {
    return graph_.peer(s, routes_.next_port(s, graph_.nodes() + target_));
  }

  const Graph& graph_;
  const Routes& routes_;
  SwitchId target_;
  std::vector<std::uint32_t> level_;
  std::vector<SwitchId> path_;
};

std::uint32_t farthest(const Graph& graph, const Routes& routes, const std::vector<NodeId>& members,
                       SwitchId center_switch) {
  WaysTo ways(graph, routes, center_switch);
  std::uint32_t most = 0;
  for (const NodeId n : members)
    most = std::max(most, ways.walk(graph.node(n).at.sw, [](SwitchId, std::uint32_t, SwitchId) {}));
  return most;
}

/// An edge of the BS tree, by the input port of the switch nearer to the center.
struct Edge {
  SwitchId parent;
  std::uint32_t port;
  SwitchId child;
};

}  // namespace

BsrTree build_bsr_tree(const Graph& graph, const Routes& routes, std::span<const NodeId> members,
                       NodeId center) {
  BsrTree tree;
  tree.members = topology::sorted_members(graph, members);
  if (!std::binary_search(tree.members.begin(), tree.members.end(), center))
    throw InputError(fmt::format("node {} cannot be the center: it is no member", center));
  tree.center = center;
  tree.center_switch = graph.node(center).at.sw;
  tree.switches.resize(graph.switches());

  WaysTo ways(graph, routes, tree.center_switch);
  std::vector<Edge> edges;  // each after those between it and the center
  std::vector<std::uint32_t> fan_in(graph.switches(), 0);
  tree.switches[tree.center_switch].in_tree = true;
  for (const NodeId n : tree.members) {
    const topology::PortRef at = graph.node(n).at;
    tree.switches[at.sw].locals |= static_cast<std::uint16_t>(1u << at.port);
    ways.walk(at.sw, [&](SwitchId parent, std::uint32_t port, SwitchId child) {
      edges.push_back({parent, port, child});
      tree.switches[child].in_tree = true;
      tree.switches[child].level = tree.switches[parent].level + 1;
      tree.height = std::max(tree.height, tree.switches[child].level);
      ++fan_in[parent];
    });
  }
  tree.edges = static_cast<std::uint32_t>(edges.size());
  for (SwitchId s = 0; s < graph.switches(); ++s)
    tree.switches[s].bsr_node = tree.switches[s].locals != 0 || fan_in[s] > 1;

  // The BSR node at or next below each switch: a switch that is none has one edge below it.
  std::vector<SwitchId> below(graph.switches(), 0);
  for (SwitchId s = 0; s < graph.switches(); ++s) below[s] = s;
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    BsrSwitch& parent = tree.switches[edge->parent];
    if (parent.bsr_node) {
      parent.children.push_back({edge->port, below[edge->child]});
      tree.switches[below[edge->child]].parent = edge->parent;
    } else {
      below[edge->parent] = below[edge->child];
    }
  }
  for (BsrSwitch& s : tree.switches)
    std::sort(s.children.begin(), s.children.end(),
              [](const BsrChild& a, const BsrChild& b) { return a.port < b.port; });
  return tree;
}

NodeId choose_center(const Graph& graph, const Routes& routes, std::span<const NodeId> members,
                     CenterChoice choice, std::uint64_t seed) {
  const std::vector<NodeId> sorted = topology::sorted_members(graph, members);
  if (choice == CenterChoice::kLowest) return sorted.front();
  if (choice == CenterChoice::kRandom) return sorted[Rng(seed).below(sorted.size())];
  NodeId best = sorted.front();
  std::uint32_t least = kUnknown;
  std::vector<bool> tried(graph.switches(), false);
  for (const NodeId n : sorted) {
    const SwitchId s = graph.node(n).at.sw;
    if (tried[s]) continue;  // as far as the lower node there
    tried[s] = true;
    const std::uint32_t distance = farthest(graph, routes, sorted, s);
    if (distance < least) {
      least = distance;
      best = n;
    }
  }
  return best;
}

}  // namespace muster::preempt
