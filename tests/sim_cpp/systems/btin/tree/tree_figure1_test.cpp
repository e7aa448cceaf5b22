// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "figure1.hpp"
#include "muster/topology/load_file.hpp"
#include "reference_tree.hpp"
#include "systems/btin/tree/btin_latency.hpp"
#include "systems/btin/tree/register_image.hpp"
#include "systems/btin/tree/tree.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

TEST_CASE("Figure 1 gives the tree of Figure 2", "[tree][figure1]") {
  const Graph graph = figure1_graph();
  const auto members = figure1_members(graph);
  REQUIRE(members.size() == 14);
  const btin::BarrierTree tree = btin::plan_tree(graph, members);
  CHECK(tree.root_switch == 3);
  CHECK(graph.node(tree.root_node).at == muster::topology::PortRef{3, 4});
  CHECK(tree.height == 2);
  CHECK(tree.deepest_leaves == 2);
  CHECK(tree.member_switches == std::vector<SwitchId>{0, 3, 4, 5, 6, 7});
  CHECK(tree.pruned == std::vector<SwitchId>{2, 8});
  CHECK(tree.order == std::vector<SwitchId>{3, 0, 1, 6, 7, 4, 5});
  CHECK(tree.edges ==
        std::vector<btin::TreeEdge>{
            {3, 0, 0, 1}, {3, 1, 1, 1}, {3, 6, 2, 1}, {3, 7, 3, 1}, {1, 4, 2, 0}, {1, 5, 3, 0}});
  CHECK(btin::hops(tree) == 40);
  CHECK(btin::btin_latency_ns(tree.height) == 7160);
}

TEST_CASE("topologies/figure1.json is the network and the group built by rule", "[tree][figure1]") {
  const Graph file = muster::topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json");
  const Graph rule = figure1_graph();
  REQUIRE(file.switches() == rule.switches());
  REQUIRE(file.nodes() == rule.nodes());
  REQUIRE(file.links().size() == rule.links().size());
  for (SwitchId s = 0; s < rule.switches(); ++s) {
    REQUIRE(file.ports(s) == rule.ports(s));
    for (std::uint32_t port = 0; port < rule.ports(s); ++port) {
      CAPTURE(s, port);
      CHECK(file.peer(s, port).kind == rule.peer(s, port).kind);
      CHECK(file.peer(s, port).id == rule.peer(s, port).id);
      CHECK(file.peer(s, port).port == rule.peer(s, port).port);
    }
  }
  auto group = file.groups.at("paper"), members = figure1_members(rule);
  std::sort(group.begin(), group.end());
  std::sort(members.begin(), members.end());
  CHECK(group == members);
}

TEST_CASE("Figure 3: three candidates of height 2 with six edges differ in their deepest leaves",
          "[tree][figure1]") {
  const Graph graph = figure1_graph();
  std::vector<btin::RootCandidate> best;
  for (const btin::RootCandidate& candidate : btin::root_candidates(graph, figure1_members(graph)))
    if (candidate.height == 2) best.push_back(candidate);
  CHECK(best == std::vector<btin::RootCandidate>{
                    {2, false, 6, 3, 0}, {2, false, 6, 2, 3}, {2, false, 6, 3, 7}});
}

TEST_CASE("Figure 1 tells the readings of the paper apart", "[tree][figure1]") {
  const Graph graph = figure1_graph();
  const auto members = figure1_members(graph);
  // On trees that are not pruned yet switch 4 would be the root.
  CHECK(reference::best_root(graph, members, false) == 4);
  // The chosen tree has five leaves; the two of the text are those on the deepest level.
  const btin::BarrierTree tree = btin::plan_tree(graph, members);
  std::set<SwitchId> leaves(tree.order.begin(), tree.order.end());
  for (const btin::TreeEdge& edge : tree.edges) leaves.erase(edge.parent);
  CHECK(leaves.size() == 5);
}

TEST_CASE("Figure 1: the registers of root, intermediate and leaf", "[image][figure1]") {
  const Graph graph = figure1_graph();
  const btin::BarrierTree tree = btin::plan_tree(graph, figure1_members(graph));
  // Switch 3: ports 0..3 lead to 0, 1, 6, 7; the root node is on 4, the other member on 6.
  CHECK(btin::register_images(tree, 9, false) ==
        std::vector<btin::RegisterImage>{{3, 9, false, 4, 0b0100'1111},
                                         {0, 9, false, 1, 0b0011'1000},
                                         {1, 9, false, 1, 0b0000'1100},
                                         {6, 9, false, 1, 0b0000'1100},
                                         {7, 9, false, 1, 0b0000'1000},
                                         {4, 9, false, 0, 0b0001'1100},
                                         {5, 9, false, 0, 0b0001'1100}});
  CHECK(btin::register_images(tree, 9, true).front() ==
        btin::RegisterImage{3, 9, true, 0, 0b0101'1111});
}
