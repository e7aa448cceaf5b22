// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/tree_text.hpp"

#include <catch2/catch.hpp>

#include "figure1.hpp"
#include "systems/btin/tree/tree_dot.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

TEST_CASE("Figure 1 is drawn with its switches, links and members", "[tree][text][figure1]") {
  const Graph graph = figure1_graph();
  const btin::BarrierTree tree = btin::plan_tree(graph, figure1_members(graph));
  CHECK(btin::tree_text(graph, {"paper", 1, false, tree}) ==
        R"(group paper: 14 members on 6 of 9 switches
root switch 3, root node 3:4
height 2, 6 edges, 2 leaves on the deepest level
a barrier takes 40 hops and, by the paper's formula, 7.16 us
pruned: 2 8

switch 3: members 3:4 (root node) 3:6
├─ switch 0 (3:0 - 0:1): members 0:3 0:4 0:5
├─ switch 1 (3:1 - 1:1): no members
│  ├─ switch 4 (1:2 - 4:0): members 4:2 4:3 4:4
│  └─ switch 5 (1:3 - 5:0): members 5:2 5:3 5:4
├─ switch 6 (3:2 - 6:1): members 6:2 6:3
└─ switch 7 (3:3 - 7:1): member 7:3
)");
}

TEST_CASE("The text says when the root switch reflects, and when nothing is pruned",
          "[tree][text]") {
  Graph graph;
  graph.add_switch(2);
  graph.add_node({0, 0});
  graph.add_node({0, 1});
  const btin::BarrierTree tree = btin::plan_tree(graph, std::vector<NodeId>{0, 1});
  CHECK(btin::tree_text(graph, {"pair", 1, true, tree}) ==
        R"(group pair: 2 members on 1 of 1 switch
root switch 0, root node 0:0 (the root switch reflects)
height 0, 0 edges, 1 leaf on the deepest level
a barrier takes 4 hops and, by the paper's formula, 5.88 us

switch 0: members 0:0 (root node) 0:1
)");
}

TEST_CASE("Names of the network's file follow the numbers of switches and nodes", "[tree][text]") {
  Graph graph = figure1_graph();
  graph.switch_names = {{3, "top"}, {7, "leaf"}};
  graph.node_names = {{*graph.node_at({7, 3}), "host"}};
  const PlannedGroup group{"paper", 1, false, plan_tree(graph, figure1_members(graph))};
  const std::string text = tree_text(graph, group);
  CHECK_THAT(text, Catch::Contains("root switch 3 \"top\", root node 3:4\n"));
  CHECK_THAT(text, Catch::Contains("\nswitch 3 \"top\": members 3:4 (root node) 3:6\n"));
  CHECK_THAT(text, Catch::Contains("└─ switch 7 \"leaf\" (3:3 - 7:1): member 7:3 \"host\"\n"));
  const std::string dot = tree_dot(graph, group);
  CHECK_THAT(dot, Catch::Contains("tooltip=\"switch 3 \\\"top\\\"\""));
  CHECK_THAT(dot, Catch::Contains("tooltip=\"7:3 \\\"host\\\"\""));
}

TEST_CASE("A group of one is one line", "[tree][text]") {
  const Graph graph = figure1_graph();
  const btin::BarrierTree tree = btin::plan_tree(graph, std::vector<NodeId>{4});
  CHECK(btin::tree_text(graph, {"one", 1, false, tree}) ==
        "group one: one member, 1:6, released at once without a switch\n");
}
