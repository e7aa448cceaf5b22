// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/tree_io.hpp"

#include <catch2/catch.hpp>

#include "figure1.hpp"
#include "support/valid_json.hpp"

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
