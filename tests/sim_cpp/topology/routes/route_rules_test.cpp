// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "muster/topology/generate.hpp"
#include "muster/topology/routes.hpp"
#include "topology/generate/assemble.hpp"
#include "topology/routes/dependency.hpp"
#include "topology/routes/route_check.hpp"

using namespace muster::topology;

namespace {

/// A mesh whose nodes are numbered against the order of its switches.
Graph backwards(std::uint32_t width, std::uint32_t height) {
  const Graph mesh = generate_mesh(width, height);
  Graph graph;
  graph.mesh = mesh.mesh;
  for (SwitchId s = 0; s < mesh.switches(); ++s) graph.add_switch(mesh.ports(s));
  for (const Link& link : mesh.links()) graph.add_link(link.a, link.b);
  for (NodeId n = mesh.nodes(); n-- > 0;) graph.add_node(mesh.node(n).at);
  return graph;
}

std::vector<Graph> networks() {
  return {generate_mesh(7, 5, 2),     generate_mesh(1, 9),    backwards(6, 4),
          generate_torus({7, 6}, 2),  generate_torus({8}),    generate_torus({2, 3, 4}),
          generate_fat_tree(2, 5),    generate_torus({4, 5}), generate_fat_tree(3, 3),
          generate_fat_tree(4, 3, 2), generate_clos(8, 5),    generate_tree(3, 3, 2),
          generate_complete(6, 2)};
}

}  // namespace

TEST_CASE("all destinations of a run have one mask, and runs cover all", "[topology][routes]") {
  for (const Graph& graph : networks()) {
    CAPTURE(graph.name);
    const Routes routes = routes_for(graph);
    CHECK(routes.by_rule());
    for (SwitchId s = 0; s < graph.switches(); ++s)
      for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
        const std::uint32_t end = routes.run_end(s, d);
        REQUIRE(end > d);
        REQUIRE(end <= graph.destinations());
        for (std::uint32_t other = d; other < end; ++other)
          REQUIRE(routes.mask(s, other) == routes.mask(s, d));
      }
  }
}

TEST_CASE("runs of a mesh are as long as its rows", "[topology][routes]") {
  const Routes routes = routes_for(generate_mesh(100, 10, 2));
  CHECK(routes.run_end(0, 402) == 600);  // nodes at switches 201 to 299, all to the right
  CHECK(routes.run_end(0, 2000 + 201) == 2000 + 300);
}

TEST_CASE("runs of a torus are as long as arms of its rings, of a fat tree as the switches below",
          "[topology][routes]") {
  const Routes torus = routes_for(generate_torus({100, 10}, 2));
  CHECK(torus.run_end(20, 402) == 440);  // nodes at switches 201 to 219, up to the own column
  CHECK(torus.run_end(20, 442) == 500);  // below it on its arm, to the bottom
  const Routes tree = routes_for(generate_fat_tree(4, 4));
  CHECK(tree.run_end(0, 64) == 128);      // nodes below the second link of a top switch
  CHECK(tree.run_end(3 * 64, 5) == 6);    // up from the lowest level, by the last digit
  CHECK(tree.run_end(2 * 64, 16) == 20);  // and from the one above, by the last but one
}

TEST_CASE("no packet runs in circles or waits in one by the rules of any network",
          "[topology][routes]") {
  for (const Graph& graph : networks()) {
    CAPTURE(graph.name);
    const Routes routes = routes_for(graph);
    CHECK(delivery_fault(graph, routes).value_or("") == "");
    CHECK(describe(DependencyGraph(graph, routes).cycle()) == "");
  }
}

TEST_CASE("routes of which an entry is changed are a table, and copies keep the rule",
          "[topology][routes]") {
  for (const Graph& graph : networks()) {
    CAPTURE(graph.name);
    const Routes rule = routes_for(graph);
    Routes table = rule;
    table.set(0, 1, 0b101);
    CHECK_FALSE(table.by_rule());
    CHECK(rule.by_rule());
    CHECK(table.destination_of(0) == graph.nodes());
    for (SwitchId s = 0; s < graph.switches(); ++s)
      for (std::uint32_t d = 0; d < graph.destinations(); ++d)
        REQUIRE(table.mask(s, d) == (s == 0 && d == 1 ? 0b101 : rule.mask(s, d)));
  }
}

TEST_CASE("routes too large for a table are refused when an entry is changed",
          "[topology][routes]") {
  Routes routes = routes_for(generate_mesh(150, 150));
  CHECK(routes.mask(0, 149) == 0b1);
  CHECK_THROWS_WITH(routes.set(0, 1, 1), Catch::Contains("the routing tables of 22500 switches"));
}
