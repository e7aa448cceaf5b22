// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "support/folder.hpp"
#include "systems/btin/tree.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

using nlohmann::json;

namespace {

const Provenance kOrigin{"muster tree x.json", "1.2.3", 42};

}  // namespace

TEST_CASE("The JSON of Figure 1 holds the whole plan", "[tree][json][figure1]") {
  const Graph graph = figure1_graph();
  const btin::PlannedGroup group{"paper", 1, false, btin::plan_tree(graph, figure1_members(graph))};
  const std::string text = btin::tree_json(graph, group, kOrigin);
  const json out = test::valid_json(text);
  CHECK(text.back() == '\n');
  CHECK(out["schema"] == "muster-tree-1");
  CHECK(out["command"] == "muster tree x.json");
  CHECK(out["version"] == "1.2.3");
  CHECK(out["seed"] == 42);
  CHECK(out["network"] == "figure1");
  CHECK(out["group"] == "paper");
  CHECK(out["alone"] == false);
  CHECK(out["root_switch"] == 3);
  CHECK(out["root_node"] == "3:4");
  CHECK(out["height"] == 2);
  CHECK(out["deepest_leaves"] == 2);
  CHECK(out["edges"] == json::parse("[[3,0],[3,1],[3,6],[3,7],[1,4],[1,5]]"));
  CHECK(out["edge_ports"] == json::parse("[[0,1],[1,1],[2,1],[3,1],[2,0],[3,0]]"));
  CHECK(out["member_switches"] == json::parse("[0,3,4,5,6,7]"));
  CHECK(out["members"].size() == 14);
  CHECK(out["pruned"] == json::parse("[2,8]"));
  CHECK(out["hops"] == 40);
  CHECK(out["paper_latency_us"] == 7.16);
  REQUIRE(out["images"].size() == 7);
  CHECK(out["images"][0] == json::parse(R"({"switch": 3, "gid": 1, "turn": false,
                                            "parent_port": 4, "child_mask": 79})"));
}

TEST_CASE("The JSON of a group of one has no edges and no images", "[tree][json]") {
  const Graph graph = figure1_graph();
  const btin::PlannedGroup group{"one", 1, true, btin::plan_tree(graph, std::vector<NodeId>{4})};
  const json out = test::valid_json(btin::tree_json(graph, group, kOrigin));
  CHECK(out["alone"] == true);
  CHECK(out["root_switch"].is_null());
  CHECK(out["root_node"].is_null());
  CHECK(out["edges"] == json::array());
  CHECK(out["images"] == json::array());
  CHECK(out["hops"] == 0);
  CHECK(out["paper_latency_us"] == 0);
}

TEST_CASE("A name that is not UTF-8 does not stop the report", "[tree][json]") {
  Graph graph = figure1_graph();
  graph.name = "broken \xff name";
  const btin::PlannedGroup group{"g\xfe", 1, false,
                                 btin::plan_tree(graph, std::vector<NodeId>{0, 1})};
  CHECK(test::valid_json(btin::tree_json(graph, group, kOrigin))["root_node"] == "0:3");
}

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
