// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/folder.hpp"

using namespace muster::topology;

namespace {

TopologyInfo info_of(const Graph& graph) { return describe_topology(graph, routes_for(graph)); }

}  // namespace

TEST_CASE("Figure 1 has the size the paper states", "[topology][figure1]") {
  const Graph graph = ready_network("figure1.json");
  const TopologyInfo info = info_of(graph);
  CHECK(info.switches == 9);
  CHECK(info.nodes == 26);
  CHECK(info.links == 12);
  CHECK(info.ports == 8);
  CHECK(info.connectivity == Approx(50.0 / 72.0));
  CHECK(info.deadlock_free);
  CHECK(info.dependency_cycle.empty());
  REQUIRE(graph.groups.contains("paper"));
  CHECK(graph.groups.at("paper").size() == 14);
  CHECK(graph.node_at({3, 4}) == graph.groups.at("paper")[3]);
  CHECK_THAT(graph.note, Catch::Contains("reconstruction"));
}

TEST_CASE("distances are those of shortest paths", "[topology][info]") {
  CHECK(info_of(generate_mesh(8, 8)).diameter == 14);
  CHECK(info_of(generate_mesh(8, 8)).average_distance == Approx(16.0 / 3.0));
  CHECK(info_of(generate_complete(1, 4)).average_distance == 0.0);
}

TEST_CASE("the switch at the top of the routes has its name after its number", "[topology][info]") {
  Graph graph = ready_network("figure1.json");
  const TopologyInfo plain = info_of(graph);
  CHECK_FALSE(
      muster::test::valid_json(info_json(plain, {"x", "1", 1})).contains("routing_root_name"));
  graph.switch_names = {{plain.routing_root, "spine"}, {plain.routing_root + 1, "leaf"}};
  const TopologyInfo named = info_of(graph);
  CHECK_THAT(info_text(named), Catch::Contains(" around switch 1 \"spine\"\n"));
  CHECK(muster::test::valid_json(info_json(named, {"x", "1", 1})).at("routing_root_name") ==
        "spine");
}
