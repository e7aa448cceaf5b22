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
