// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "muster/topology/generate.hpp"
#include "random_network.hpp"
#include "reference_tree.hpp"
#include "support/seed.hpp"
#include "systems/btin/tree/tree.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

using muster::topology::Peer;

namespace {

/// Every edge is a link of the network, on the parent's lowest port that leads to the child.
void check_ports(const Graph& graph, const btin::BarrierTree& tree) {
  for (const btin::TreeEdge& edge : tree.edges) {
    const Peer& down = graph.peer(edge.parent, edge.parent_port);
    REQUIRE(down.kind == Peer::Kind::kSwitch);
    REQUIRE(down.id == edge.child);
    REQUIRE(down.port == edge.child_port);
    for (std::uint32_t p = 0; p < edge.parent_port; ++p) {
      const Peer& peer = graph.peer(edge.parent, p);
      REQUIRE_FALSE((peer.kind == Peer::Kind::kSwitch && peer.id == edge.child));
    }
    REQUIRE(tree.switches[edge.child].parent_port == edge.child_port);
    REQUIRE((tree.switches[edge.parent].child_mask >> edge.parent_port & 1) == 1);
  }
}

/// Levels are shortest distances, and every edge leads one level down: none joins siblings.
void check_levels(const btin::BarrierTree& tree, const reference::Tree& expected) {
  for (const btin::TreeEdge& edge : tree.edges) {
    REQUIRE(tree.switches[edge.child].level == tree.switches[edge.parent].level + 1);
    REQUIRE(tree.switches[edge.child].level == expected.level.at(edge.child));
  }
}

/// The ports of a switch's mask are its children and its members, no more.
void check_masks(const Graph& graph, const btin::BarrierTree& tree) {
  std::vector<std::uint16_t> masks(graph.switches(), 0);
  for (const btin::TreeEdge& edge : tree.edges)
    masks[edge.parent] = static_cast<std::uint16_t>(masks[edge.parent] | 1u << edge.parent_port);
  for (const NodeId n : tree.members) {
    const auto at = graph.node(n).at;
    masks[at.sw] = static_cast<std::uint16_t>(masks[at.sw] | 1u << at.port);
  }
  for (SwitchId s = 0; s < graph.switches(); ++s) REQUIRE(tree.switches[s].child_mask == masks[s]);
}

void check_tree(const Graph& graph, const std::vector<NodeId>& members,
                const btin::BarrierTree& tree) {
  const auto member_switches = reference::member_switches(graph, members);
  const auto full = reference::search(graph, tree.root_switch);
  const auto expected = reference::prune(full, member_switches);

  std::map<SwitchId, SwitchId> parents;
  for (const btin::TreeEdge& edge : tree.edges)
    REQUIRE(parents.emplace(edge.child, edge.parent).second);
  REQUIRE(parents == expected.parent);
  REQUIRE(tree.height == expected.height());
  REQUIRE(tree.deepest_leaves == expected.deepest_leaves());
  REQUIRE(tree.order.size() == tree.edges.size() + 1);
  REQUIRE(tree.order.front() == tree.root_switch);

  std::vector<SwitchId> gone;
  for (const auto& [s, level] : full.level) {
    REQUIRE(tree.switches[s].in_tree == (expected.level.count(s) == 1));
    if (!expected.level.count(s)) gone.push_back(s);
  }
  REQUIRE(tree.pruned == gone);
  for (const SwitchId s : member_switches) REQUIRE(tree.switches[s].in_tree);
  for (const SwitchId s : expected.leaves()) REQUIRE(member_switches.count(s) == 1);
  REQUIRE(std::equal(tree.member_switches.begin(), tree.member_switches.end(),
                     member_switches.begin(), member_switches.end()));
  check_levels(tree, full);
  check_ports(graph, tree);
  check_masks(graph, tree);

  if (!tree.has_root_node()) {
    REQUIRE(member_switches.count(tree.root_switch) == 0);
    REQUIRE(tree.root_node == tree.members.front());
    return;
  }
  std::uint32_t lowest = muster::topology::kMaxPorts;
  for (const NodeId n : members)
    if (graph.node(n).at.sw == tree.root_switch) lowest = std::min(lowest, graph.node(n).at.port);
  REQUIRE(graph.node(tree.root_node).at == muster::topology::PortRef{tree.root_switch, lowest});
}

}  // namespace

TEST_CASE("On random networks the tree is the one the paper's words give", "[tree][random]") {
  const auto seed = muster_seed();
  CAPTURE(seed);
  for (std::uint64_t round = 0; round < 600; ++round) {
    CAPTURE(round);
    muster::Rng rng(seed, round);
    const Graph graph = random_network(rng);
    const auto members = random_group(graph, rng);
    const btin::BarrierTree tree = btin::plan_tree(graph, members);
    REQUIRE(tree.root_switch == reference::best_root(graph, members));
    check_tree(graph, members, tree);
    // Any other root that is asked for must give a proper tree as well.
    const SwitchId other = tree.member_switches[rng.below(tree.member_switches.size())];
    check_tree(graph, members, btin::build_tree(graph, members, other));
    const btin::BarrierTree any = btin::plan_tree(graph, members, btin::Roots::kAll);
    REQUIRE(any.root_switch == reference::best_root(graph, members, true, true));
    check_tree(graph, members, any);
    const auto by_hand = static_cast<SwitchId>(rng.below(graph.switches()));
    if (members.size() > 1)
      check_tree(graph, members, btin::build_tree(graph, members, by_hand, btin::Roots::kAll));
  }
}

TEST_CASE("No member switch gives a flatter tree than the root", "[tree][random]") {
  const auto seed = muster_seed();
  CAPTURE(seed);
  for (std::uint64_t round = 0; round < 300; ++round) {
    CAPTURE(round);
    muster::Rng rng(seed, 10'000 + round);
    const Graph graph = random_network(rng);
    const auto members = random_group(graph, rng);
    const auto switches = reference::member_switches(graph, members);
    const auto candidates = btin::root_candidates(graph, members);
    REQUIRE(candidates.size() == switches.size());
    std::uint32_t least = graph.switches();
    for (const btin::RootCandidate& candidate : candidates) {
      // Height is the distance to the farthest member switch, however the tree looks.
      const auto levels = reference::search(graph, candidate.root_switch).level;
      std::uint32_t farthest = 0;
      for (const SwitchId s : switches) farthest = std::max(farthest, levels.at(s));
      REQUIRE(candidate.height == farthest);
      least = std::min(least, farthest);
    }
    REQUIRE(btin::plan_tree(graph, members).height == least);
  }
}

TEST_CASE("With members at all or all but one of a torus's switches the root is the best one",
          "[tree]") {
  for (const std::vector<std::uint32_t>& sizes :
       std::vector<std::vector<std::uint32_t>>{{5, 4}, {3, 3}, {7}, {2, 3, 4}}) {
    CAPTURE(sizes);
    const Graph graph = generate_torus(sizes, 2);
    std::vector<NodeId> members;
    for (NodeId n = 0; n < graph.nodes(); n += 2) members.push_back(n);
    for (const bool all : {true, false}) {
      if (!all) members.erase(members.begin());
      const auto candidates = btin::root_candidates(graph, members);
      const auto best = std::min_element(candidates.begin(), candidates.end());
      CHECK(btin::plan_tree(graph, members).root_switch == best->root_switch);
    }
  }
}

TEST_CASE("Every member plans the same tree, in whatever order it knows the others",
          "[tree][random]") {
  const auto seed = muster_seed();
  CAPTURE(seed);
  for (std::uint64_t round = 0; round < 100; ++round) {
    CAPTURE(round);
    muster::Rng rng(seed, 20'000 + round);
    const Graph graph = random_network(rng);
    auto members = random_group(graph, rng);
    const btin::BarrierTree first = btin::plan_tree(graph, members);
    for (std::size_t i = members.size(); i > 1; --i)
      std::swap(members[i - 1], members[rng.below(i)]);
    const btin::BarrierTree second = btin::plan_tree(graph, members);
    REQUIRE(first.root_node == second.root_node);
    REQUIRE(first.edges == second.edges);
    REQUIRE(first.members == second.members);
    for (SwitchId s = 0; s < graph.switches(); ++s)
      REQUIRE(first.switches[s].members == second.switches[s].members);
  }
}
