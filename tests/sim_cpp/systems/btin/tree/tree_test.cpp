// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree.hpp"

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/systems/btin/tree/networks.hpp"
#include "support/folder.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

using Catch::Matchers::Contains;

namespace {

/// Switches of eight ports, one node each on port 7; a link takes the lowest open ports.
Graph network(std::uint32_t switches, std::vector<std::pair<SwitchId, SwitchId>> links) {
  Graph graph;
  for (std::uint32_t s = 0; s < switches; ++s) {
    graph.add_switch(8);
    graph.add_node({s, 7});
  }
  const auto open = [&](SwitchId s) {
    std::uint32_t port = 0;
    while (graph.peer(s, port).kind != topology::Peer::Kind::kOpen) ++port;
    return topology::PortRef{s, port};
  };
  for (const auto& [a, b] : links) graph.add_link(open(a), open(b));
  return graph;
}

using Nodes = std::vector<NodeId>;
using Switches = std::vector<SwitchId>;

}  // namespace

TEST_CASE("Of parallel links the parent's lowest port is used, with its own far end", "[tree]") {
  Graph graph;
  graph.add_switch(4);
  graph.add_switch(4);
  graph.add_link({0, 3}, {1, 0});
  graph.add_link({0, 1}, {1, 2});
  graph.add_node({0, 0});
  graph.add_node({1, 1});
  CHECK(plan_tree(graph, Nodes{0, 1}, Roots::kMembers, 0).edges ==
        std::vector<TreeEdge>{{0, 1, 1, 2}});
  CHECK(plan_tree(graph, Nodes{0, 1}, Roots::kMembers, 1).edges ==
        std::vector<TreeEdge>{{1, 0, 0, 3}});
}

TEST_CASE("Any switch can be the root that reflects, if it is flatter", "[tree]") {
  const Graph star = network(4, {{3, 0}, {3, 1}, {3, 2}});
  const BarrierTree tree = plan_tree(star, Nodes{0, 1, 2}, Roots::kAll);
  CHECK(tree.height == 1);
  CHECK(tree.root_switch == 3);
  CHECK_FALSE(tree.has_root_node());
  CHECK(tree.root_node == 0);
  CHECK(tree.switches[3].child_mask == 7);
  CHECK(tree.switches[3].parent_port == 0);
  CHECK(hops(tree) == 12);
}

TEST_CASE("A root without members must be flatter than all with members", "[tree]") {
  // Around both of the line's inner switches the height is 2.
  const Graph line = network(4, {{0, 1}, {1, 2}, {2, 3}});
  CHECK(plan_tree(line, Nodes{0, 2, 3}, Roots::kAll).root_switch == 2);
  CHECK(plan_tree(line, Nodes{0, 1, 3}, Roots::kAll).root_switch == 1);
  CHECK(plan_tree(line, Nodes{0, 3}, Roots::kAll).root_switch == 1);
  CHECK(plan_tree(line, Nodes{0, 3}).root_switch == 0);
  // A group at one switch needs no other, and a group of one has its own.
  CHECK(plan_tree(line, Nodes{2}, Roots::kAll).root_switch == 2);
  for (const Roots roots : {Roots::kAll, Roots::kMembers})
    CHECK(plan_tree(line, Nodes{2}, roots, 0).root_switch == 2);
}

TEST_CASE("On a fat tree a switch of the highest level halves the height", "[tree]") {
  const Graph graph = generate_fat_tree(4, 3);
  Nodes members;
  for (NodeId n = 0; n < graph.nodes(); ++n) members.push_back(n);
  CHECK(plan_tree(graph, members).height == 4);
  const BarrierTree tree = plan_tree(graph, members, Roots::kAll);
  CHECK(tree.height == 2);
  CHECK(tree.root_switch == 0);
}

TEST_CASE("A root that is chosen by hand is taken if it can be the root", "[tree]") {
  const Graph star = network(5, {{3, 0}, {3, 1}, {3, 2}, {0, 4}});
  const Nodes members{0, 1, 2};
  CHECK(plan_tree(star, members, Roots::kAll, 4).root_switch == 4);
  CHECK(plan_tree(star, members, Roots::kAll, 4).height == 3);
  CHECK(plan_tree(star, members, Roots::kMembers, 2).root_switch == 2);
  CHECK_THROWS_WITH(plan_tree(star, members, Roots::kMembers, 3),
                    Contains("choose one of 0, 1, 2, or a root that reflects"));
  CHECK_THROWS_WITH(plan_tree(star, members, Roots::kAll, 5),
                    Contains("switch 5 does not exist; the network has 5"));
}

TEST_CASE("Fewer edges decide before fewer deepest leaves, these before the identifier", "[tree]") {
  CHECK(RootCandidate{1, true, 9, 9, 9} < RootCandidate{2, false, 0, 0, 0});
  CHECK(RootCandidate{1, false, 9, 9, 9} < RootCandidate{1, true, 0, 0, 0});
  CHECK(RootCandidate{1, false, 5, 9, 9} < RootCandidate{1, false, 6, 0, 0});
  CHECK(RootCandidate{1, false, 5, 2, 9} < RootCandidate{1, false, 5, 3, 0});
  CHECK(RootCandidate{1, false, 5, 2, 0} < RootCandidate{1, false, 5, 2, 1});
}

TEST_CASE("All members on one switch make a tree without edges", "[tree]") {
  Graph graph = network(3, {{0, 1}, {1, 2}});
  const NodeId second = graph.add_node({1, 3}), third = graph.add_node({1, 6});
  const BarrierTree tree = plan_tree(graph, Nodes{1, third, second});
  CHECK(tree.root_switch == 1);
  CHECK(tree.root_node == second);  // port 3, although node 1 on port 7 has a lower number
  CHECK(tree.switches[1].members == Nodes{second, third, 1});
  CHECK(tree.height == 0);
  CHECK(tree.deepest_leaves == 1);
  CHECK(tree.edges.empty());
  CHECK(tree.pruned == Switches{0, 2});
  CHECK(hops(tree) == 6);
}

TEST_CASE("A group of one is alone and traverses no link", "[tree]") {
  const BarrierTree tree = plan_tree(network(3, {{0, 1}, {1, 2}}), Nodes{2});
  CHECK(tree.alone());
  CHECK(tree.root_node == 2);
  CHECK(hops(tree) == 0);
}

TEST_CASE("A network of one switch and a node on its last port can be planned", "[tree]") {
  Graph graph;
  graph.add_switch(16);
  graph.add_node({0, 15});
  graph.add_node({0, 0});
  const BarrierTree tree = plan_tree(graph, Nodes{0, 1});
  CHECK(tree.root_node == 1);
  CHECK(tree.switches[0].child_mask == 0x8001);
}

TEST_CASE("A group that cannot be planned is refused with its reason", "[tree][input]") {
  const Graph graph = network(3, {{0, 1}});  // switch 2 stands apart
  CHECK_THROWS_WITH(plan_tree(graph, Nodes{}), Contains("empty"));
  CHECK_THROWS_WITH(plan_tree(graph, Nodes{0, 3}), Contains("node 3, which does not exist"));
  CHECK_THROWS_WITH(plan_tree(graph, Nodes{1, 0, 1}), Contains("node 1 twice"));
  CHECK_THROWS_WITH(plan_tree(graph, Nodes{0, 2}), Contains("no path joins switches 0 and 2"));
  CHECK_THROWS_WITH(plan_tree(graph, Nodes{0, 1}, Roots::kMembers, 2),
                    Contains("switch 2 has no member"));
  CHECK_THROWS_AS(plan_tree(graph, Nodes{0, 1}, Roots::kMembers, 3), InputError);
  CHECK_THROWS_AS(root_candidates(graph, Nodes{}), InputError);
  CHECK(
      btin::plan_tree(graph, Nodes{0, 1}).pruned.empty());  // what BFS never reached is not pruned
}

TEST_CASE("The paper's latency is 5.88 us and 0.64 us for each level of the tree", "[btin]") {
  for (std::uint64_t height : {0, 1, 2, 6, 9, 1000})
    CHECK(btin_latency_ns(height) == 5880 + 640 * height);
  CHECK(btin::btin_latency_ns(2) == 7160);  // Figure 1
}

TEST_CASE("Each delay counts as often as the message meets it", "[btin]") {
  // Height 3: five links, four switches and two network interfaces, each way.
  CHECK(btin_latency_ns(3, {.startup_ns = 1, .link_ns = 0, .router_ns = 0}) == 2);
  CHECK(btin_latency_ns(3, {.startup_ns = 0, .link_ns = 1, .router_ns = 0}) == 10);
  CHECK(btin_latency_ns(3, {.startup_ns = 0, .link_ns = 0, .router_ns = 1}) == 12);
}

using nlohmann::json;

namespace {

const Provenance kOrigin{"muster tree x.json", "1.2.3", 42};

}  // namespace

TEST_CASE("The JSON of a group of one has no edges and no images", "[tree][json]") {
  const Graph graph = figure1_graph();
  const PlannedGroup group{"one", 1, true, plan_tree(graph, std::vector<NodeId>{4})};
  const json out = test::valid_json(tree_json(graph, group, kOrigin));
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
  const PlannedGroup group{"g\xfe", 1, false, plan_tree(graph, std::vector<NodeId>{0, 1})};
  CHECK(test::valid_json(tree_json(graph, group, kOrigin))["root_node"] == "0:3");
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

TEST_CASE("A group of one is one line", "[tree][text]") {
  const Graph graph = figure1_graph();
  const BarrierTree tree = plan_tree(graph, std::vector<NodeId>{4});
  CHECK(tree_text(graph, {"one", 1, false, tree}) ==
        "group one: one member, 1:6, released at once without a switch\n");
}
