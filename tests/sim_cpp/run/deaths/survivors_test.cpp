// SPDX-License-Identifier: Apache-2.0
#include "run/deaths/reroute.hpp"
#include "sim_cpp/run/deaths/death_runs.hpp"

namespace muster::run {
namespace {

Survivors without(const topology::Graph& graph, topology::SwitchId dead) {
  Survivors left{std::vector<std::uint8_t>(graph.switches(), 1),
                 std::vector<std::uint8_t>(graph.links().size(), 1)};
  if (dead == graph.switches()) return left;  // none
  left.switches[dead] = 0;
  for (std::size_t l = 0; l < left.links.size(); ++l)
    left.links[l] = graph.links()[l].a.sw != dead && graph.links()[l].b.sw != dead;
  return left;
}

/// Packets of all living nodes: to living ones past the dead switch, to its own up to it. Not by
/// REQUIRE in each hop, which would take a minute.
bool all_reach(const topology::Graph& graph, const topology::Routes& routes,
               topology::SwitchId dead) {
  for (topology::NodeId from = 0; from < graph.nodes(); ++from)
    for (topology::NodeId to = 0; to < graph.nodes(); ++to) {
      topology::SwitchId s = graph.node(from).at.sw;
      if (s == dead) break;
      for (std::uint32_t hops = 0; s != graph.node(to).at.sw; ++hops) {
        if (s == dead || hops == graph.switches()) return false;
        const topology::Peer& peer = graph.peer(s, routes.next_port(s, to));
        if (peer.kind != topology::Peer::Kind::kSwitch) return false;
        s = peer.id;
      }
    }
  return true;
}

TEST_CASE("routes of survivors lead past a dead switch, or there is no way", "[run][death]") {
  const topology::Graph graphs[] = {
      test::square(), test::Subject::figure1().graph,
      topology::read_topology(MUSTER_SOURCE_DIR "/topologies/irregular-75.json")};
  std::size_t around = 0, cut = 0;
  for (const topology::Graph& graph : graphs) {
    const topology::Routes before = topology::routes_for(graph);
    for (topology::SwitchId dead = 0; dead < graph.switches(); ++dead) {
      CAPTURE(graph.name, dead);
      const auto routes = surviving_routes(graph, before, without(graph, dead));
      ++(routes ? around : cut);
      if (routes) CHECK(all_reach(graph, routes->routes, dead));
    }
  }
  CHECK(around > 60);
  CHECK(cut > 0);  // switch 8 of Figure 1 joins switch 2 to the rest
}

TEST_CASE("what lies behind dead switches alone is no part of a deadlock", "[run][death]") {
  topology::Graph graph = test::square();
  for (int s = 0; s < 2; ++s) graph.add_switch(5);
  graph.add_link({2, 4}, {4, 0});
  graph.add_link({4, 1}, {5, 0});
  graph.add_node({5, 2});
  const topology::Routes before = topology::routes_for(graph);
  Survivors left{{1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0}};
  const auto routes = surviving_routes(graph, before, left);
  REQUIRE(routes);
  const topology::NodeId behind = graph.nodes() - 1;
  // To the dead switch that is next to one that lives.
  CHECK(routes->routes.next_port(2, behind) == 4);
  CHECK(routes->routes.next_port(1, behind) == routes->routes.next_port(1, 4));
}

TEST_CASE("links that are down are left out of routes", "[run][death]") {
  const topology::Graph graph = test::square();
  const topology::Routes before = topology::routes_for(graph);
  Survivors left{{1, 1, 1, 1}, {1, 0, 1, 1}};  // without the link of switches 1 and 2
  const auto routes = surviving_routes(graph, before, left);
  REQUIRE(routes);
  CHECK(routes->routes.next_port(1, 4) == 1);  // node 4 is at switch 2: by way of 0 and 3
  CHECK(routes->routes.next_port(2, 2) == 0);
  left.links[3] = 0;
  CHECK_FALSE(surviving_routes(graph, before, left));
}

/// Of the living nodes among each other.
double bound(const topology::Graph& graph, const topology::Routes& routes, const Survivors& left) {
  std::vector<std::uint8_t> nodes;
  for (const topology::Node& node : graph.node_list()) nodes.push_back(left.switches[node.at.sw]);
  return topology::route_bound_flits_per_node_cycle(
      topology::uniform_loads(graph, routes, {}, nodes));
}

TEST_CASE("routes of survivors keep the levels of a fat tree, and with them its bandwidth",
          "[run][death]") {
  const topology::Graph graph = topology::generate_fat_tree(4, 3);
  const topology::Routes before = topology::routes_for(graph);
  const double whole = bound(graph, before, without(graph, graph.switches()));
  CHECK(whole > 0.9);
  for (topology::SwitchId dead = 0; dead < graph.switches(); ++dead) {
    CAPTURE(dead, graph.levels[dead]);
    const Survivors left = without(graph, dead);
    const auto found = surviving_routes(graph, before, left);
    REQUIRE(found);
    CHECK(found->by_file);
    CHECK(all_reach(graph, found->routes, dead));
    // One of four links up, or of four cores, is gone.
    CHECK(bound(graph, found->routes, left) > whole / 2);
  }
}

TEST_CASE("levels of the file that do not connect the survivors are given up", "[run][death]") {
  // Two roots of three leaves. Leaf 2 has lost its link to root 0, leaf 3 that to root 1: by the
  // levels there is no way between them, by others there is one through leaf 4.
  topology::Graph graph;
  for (int s = 0; s < 5; ++s) graph.add_switch(4);
  for (std::uint32_t leaf = 2; leaf < 5; ++leaf)
    for (std::uint32_t root = 0; root < 2; ++root) graph.add_link({leaf, root}, {root, leaf - 2});
  for (std::uint32_t leaf = 2; leaf < 5; ++leaf) graph.add_node({leaf, 2});
  graph.levels = {0, 0, 1, 1, 1};
  const topology::Routes before = topology::routes_for(graph);
  Survivors left{{1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1}};
  const auto one = surviving_routes(graph, before, left);
  REQUIRE(one);
  CHECK(one->by_file);
  left.links[3] = 0;
  const auto both = surviving_routes(graph, before, left);
  REQUIRE(both);
  CHECK_FALSE(both->by_file);
  CHECK(all_reach(graph, both->routes, graph.switches()));
}

}  // namespace
}  // namespace muster::run
