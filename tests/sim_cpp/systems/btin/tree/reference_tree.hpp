// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "muster/topology/graph.hpp"

/// Planning once more, slowly and by the words of the paper: maps and sets, one leaf removed at a
/// time. Shares nothing with sim_cpp/systems/btin.
namespace reference {

using muster::topology::Graph;
using muster::topology::NodeId;
using muster::topology::SwitchId;

inline std::map<SwitchId, std::set<SwitchId>> adjacency(const Graph& graph) {
  std::map<SwitchId, std::set<SwitchId>> result;
  for (const auto& link : graph.links()) {
    result[link.a.sw].insert(link.b.sw);
    result[link.b.sw].insert(link.a.sw);
  }
  return result;
}

inline std::set<SwitchId> member_switches(const Graph& graph, const std::vector<NodeId>& members) {
  std::set<SwitchId> result;
  for (const NodeId n : members) result.insert(graph.node(n).at.sw);
  return result;
}

struct Tree {
  std::map<SwitchId, SwitchId> parent;  // of every switch but the root
  std::map<SwitchId, std::uint32_t> level;
  std::uint32_t height() const {
    std::uint32_t most = 0;
    for (const auto& [s, l] : level) most = std::max(most, l);
    return most;
  }
  std::uint32_t deepest_leaves() const {
    std::uint32_t count = 0;
    for (const auto& [s, l] : level) count += l == height();
    return count;
  }
  std::set<SwitchId> leaves() const {
    std::set<SwitchId> result;
    for (const auto& [s, l] : level) result.insert(s);
    for (const auto& [s, p] : parent) result.erase(p);
    return result;
  }
};

inline Tree search(const Graph& graph, SwitchId root) {
  auto neighbours = adjacency(graph);
  Tree tree;
  tree.level[root] = 0;
  std::deque<SwitchId> queue{root};
  while (!queue.empty()) {
    const SwitchId s = queue.front();
    queue.pop_front();
    for (const SwitchId n : neighbours[s]) {
      if (tree.level.count(n)) continue;
      tree.level[n] = tree.level[s] + 1;
      tree.parent[n] = s;
      queue.push_back(n);
    }
  }
  return tree;
}

inline Tree prune(Tree tree, const std::set<SwitchId>& members) {
  for (bool again = true; again;) {
    again = false;
    for (const SwitchId leaf : tree.leaves()) {
      if (members.count(leaf)) continue;
      tree.level.erase(leaf);
      tree.parent.erase(leaf);
      again = true;
    }
  }
  return tree;
}

/// Best root by height, edges, deepest leaves, identifier; `pruned` says on which trees. `all`:
/// also of switches without members, which must be flatter. A group of one has its own.
inline SwitchId best_root(const Graph& graph, const std::vector<NodeId>& members,
                          bool pruned = true, bool all = false) {
  const auto switches = member_switches(graph, members);
  std::set<SwitchId> roots = switches;
  if (all && members.size() > 1)
    for (const auto& [s, level] : search(graph, *switches.begin()).level) roots.insert(s);
  std::set<std::tuple<std::uint32_t, bool, std::size_t, std::uint32_t, SwitchId>> ranking;
  for (const SwitchId s : roots) {
    Tree tree = search(graph, s);
    if (pruned) tree = prune(tree, switches);
    ranking.insert(
        {tree.height(), switches.count(s) == 0, tree.parent.size(), tree.deepest_leaves(), s});
  }
  return std::get<4>(*ranking.begin());
}

}  // namespace reference
