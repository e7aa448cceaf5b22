// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree.hpp"

#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

using Catch::Matchers::Contains;

TEST_CASE("A group or a root that cannot be planned is refused with its reason", "[tree][input]") {
  Graph graph;  // switches 0 and 1, each with a node of its number; switch 2 stands apart
  for (SwitchId s = 0; s < 3; ++s) {
    graph.add_switch(8);
    graph.add_node({s, 7});
  }
  graph.add_link({0, 0}, {1, 0});
  struct Refused {
    std::vector<NodeId> members;
    Roots roots;
    std::optional<SwitchId> root;
    const char* reason;
  };
  for (const Refused& r : {Refused{{}, Roots::kMembers, {}, "empty"},
                           {{0, 3}, Roots::kMembers, {}, "node 3, which does not exist"},
                           {{1, 0, 1}, Roots::kMembers, {}, "node 1 twice"},
                           {{0, 2}, Roots::kMembers, {}, "no path joins switches 0 and 2"},
                           {{0, 1}, Roots::kMembers, 2, "choose one of 0, 1, or a root that ref"},
                           {{0, 1}, Roots::kAll, 3, "switch 3 does not exist; the network has 3"}})
    CHECK_THROWS_WITH(plan_tree(graph, r.members, r.roots, r.root), Contains(r.reason));
  // What the search never reached is not pruned.
  CHECK(plan_tree(graph, std::vector<NodeId>{0, 1}).pruned.empty());
}

TEST_CASE("The paper's latency is 5.88 us and 0.64 us for each level of the tree", "[btin]") {
  for (std::uint64_t height : {0, 2, 1000}) CHECK(btin_latency_ns(height) == 5880 + 640 * height);
}

TEST_CASE("A name that is not UTF-8 does not stop the report", "[tree][json]") {
  Graph graph = figure1_graph();
  graph.name = "broken \xff name";
  const PlannedGroup group{"g\xfe", 1, false, plan_tree(graph, std::vector<NodeId>{0, 1})};
  CHECK(test::valid_json(tree_json(graph, group, {"muster tree", "1.2", 4}))["root_node"] == "0:3");
}

TEST_CASE("Names of the network's file follow the numbers of switches and nodes", "[tree][text]") {
  Graph graph = figure1_graph();
  graph.switch_names = {{3, "top"}, {7, "leaf"}};
  graph.node_names = {{*graph.node_at({7, 3}), "host"}};
  const PlannedGroup group{"paper", 1, false, plan_tree(graph, figure1_members(graph))};
  const std::string text = tree_text(graph, group);
  CHECK_THAT(text, Contains("root switch 3 \"top\", root node 3:4\n"));
  CHECK_THAT(text, Contains("\nswitch 3 \"top\": members 3:4 (root node) 3:6\n"));
  CHECK_THAT(text, Contains("└─ switch 7 \"leaf\" (3:3 - 7:1): member 7:3 \"host\"\n"));
  const std::string dot = tree_dot(graph, group);
  CHECK_THAT(dot, Contains("tooltip=\"switch 3 \\\"top\\\"\""));
  CHECK_THAT(dot, Contains("tooltip=\"7:3 \\\"host\\\"\""));
}
