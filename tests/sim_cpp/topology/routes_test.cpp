// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

/// Masks towards switch `target` by the definition alone, without the order of the implementation:
/// distances by relaxation until nothing changes.
std::vector<std::uint16_t> masks_by_definition(const Graph& graph, SwitchId target) {
  const auto level = bfs_levels(graph, routing_root(graph));
  const auto up = [&](SwitchId from, SwitchId to) {
    return level[to] < level[from] || (level[to] == level[from] && to < from);
  };
  const std::uint32_t far = 1000000;
  std::vector<std::uint32_t> down(graph.switches(), far), total(graph.switches(), far);
  down[target] = total[target] = 0;
  for (SwitchId round = 0; round < graph.switches(); ++round)
    for (SwitchId s = 0; s < graph.switches(); ++s)
      for (const Peer& p : graph.peers(s))
        if (p.kind == Peer::Kind::kSwitch && !up(s, p.id) && down[p.id] + 1 < down[s])
          down[s] = total[s] = down[p.id] + 1;
  for (SwitchId round = 0; round < graph.switches(); ++round)
    for (SwitchId s = 0; s < graph.switches(); ++s)
      for (const Peer& p : graph.peers(s))
        if (p.kind == Peer::Kind::kSwitch && down[s] == far && up(s, p.id))
          total[s] = std::min(total[s], total[p.id] + 1);
  std::vector<std::uint16_t> masks(graph.switches(), 0);
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t port = 0; port < graph.ports(s); ++port) {
      const Peer& p = graph.peer(s, port);
      if (p.kind != Peer::Kind::kSwitch || s == target) continue;
      const bool best = down[s] < far ? !up(s, p.id) && down[p.id] + 1 == down[s]
                                      : up(s, p.id) && total[p.id] + 1 == total[s];
      if (best) masks[s] |= static_cast<std::uint16_t>(1u << port);
    }
  return masks;
}

void check_routes(const Graph& graph) {
  const Routes routes = up_down_routes(graph);
  REQUIRE(routes.destinations() == graph.destinations());
  CHECK(delivery_fault(graph, routes).value_or("") == "");
  CHECK(up_down_fault(graph, routes).value_or("") == "");
  CHECK(describe(DependencyGraph(graph, routes).cycle()) == "");
  for (SwitchId t = 0; t < graph.switches(); ++t) {
    const auto expected = masks_by_definition(graph, t);
    for (SwitchId s = 0; s < graph.switches(); ++s)
      REQUIRE(routes.mask(s, graph.nodes() + t) == expected[s]);
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const PortRef at = graph.node(n).at;
    for (SwitchId s = 0; s < graph.switches(); ++s)
      REQUIRE(routes.mask(s, n) ==
              (s == at.sw ? 1u << at.port : routes.mask(s, graph.nodes() + at.sw)));
  }
}

}  // namespace

TEST_CASE("up*/down* masks follow the definition, with parallel links too", "[topology][routes]") {
  Random rng(muster_seed());
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    check_routes(i % 2 == 0 ? generate_irregular(random_spec(rng)) : random_multigraph(rng));
  }
  for (const Graph& graph : {generate_complete(1, 3), generate_complete(9, 2),
                             generate_tree(3, 3, 2), generate_tree(1, 20, 1), generate_mesh(7, 5)})
    check_routes(graph);
}

TEST_CASE("the routing root has the least eccentricity, then the lowest number", "[topology]") {
  CHECK(routing_root(generate_tree(2, 3, 1)) == 0);
  CHECK(routing_root(generate_tree(1, 5, 1)) == 2);  // a path of six: 2 and 3 are equal
  CHECK(routing_root(generate_mesh(3, 3)) == 4);
  CHECK(routing_root(ready_network("figure1.json")) == 1);
  CHECK(bfs_levels(generate_tree(2, 2, 1), 3) == std::vector<std::uint32_t>{2, 1, 3, 0, 2, 4, 4});
}

TEST_CASE(
    "up*/down* routes by other levels: those of the network are its own, and a switch without "
    "a link up has no way by them",
    "[topology][routes]") {
  const Graph ring = [] {
    Graph graph;
    for (SwitchId s = 0; s < 4; ++s) graph.add_switch(3);
    for (SwitchId s = 0; s < 4; ++s) graph.add_node({s, 2});
    for (SwitchId s = 0; s < 4; ++s) graph.add_link({s, 0}, {(s + 1) % 4, 1});
    return graph;
  }();
  const auto differ = [&](const Routes& a, const Routes& b) {
    int entries = 0;
    for (SwitchId s = 0; s < ring.switches(); ++s)
      for (std::uint32_t d = 0; d < ring.destinations(); ++d)
        entries += a.mask(s, d) != b.mask(s, d);
    return entries;
  };
  CHECK(up_down_levels(ring) == std::vector<std::uint32_t>{0, 1, 2, 1});
  CHECK(differ(up_down_routes(ring, up_down_levels(ring)), up_down_routes(ring)) == 0);
  const Routes other = up_down_routes(ring, {2, 1, 0, 1});
  CHECK(differ(other, up_down_routes(ring)) > 0);
  CHECK_FALSE(delivery_fault(ring, other));
  CHECK(DependencyGraph(ring, other).deadlock_free());
  // Switches 0 and 2 are tops, neither of which is below the other: no way leads up and then down.
  const Routes tops = up_down_routes(ring, {0, 1, 0, 1});
  CHECK(tops.mask(0, 2) == 0);
  CHECK(delivery_fault(ring, tops));
}

TEST_CASE("X-Y routes go along x first, then along y, and are free of deadlock", "[topology]") {
  for (const auto& [width, height] : {std::pair{1u, 1u}, {1u, 6u}, {6u, 1u}, {2u, 2u}, {5u, 4u}}) {
    CAPTURE(width, height);
    const Graph graph = generate_mesh(width, height, 2);
    const Routes routes = routes_for(graph);
    CHECK(delivery_fault(graph, routes).value_or("") == "");
    CHECK(DependencyGraph(graph, routes).deadlock_free());
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      for (SwitchId t = 0; t < graph.switches(); ++t) {
        if (s == t) continue;
        const SwitchId next = graph.peer(s, routes.next_port(s, graph.nodes() + t)).id;
        const int dx = static_cast<int>(t % width) - static_cast<int>(s % width);
        const int step = dx > 0   ? 1
                         : dx < 0 ? -1
                         : t > s  ? static_cast<int>(width)
                                  : -static_cast<int>(width);
        REQUIRE(static_cast<int>(next) == static_cast<int>(s) + step);
      }
    }
  }
}

TEST_CASE("routes are refused where there are none", "[topology][routes]") {
  Graph apart;
  apart.add_switch(2);
  apart.add_switch(2);
  CHECK_THROWS_AS(up_down_routes(apart), InputError);
  Graph wrong = generate_tree(2, 2, 1);
  wrong.mesh = Mesh{7, 1};
  CHECK_THROWS_WITH(routes_for(wrong), Catch::Contains("not neighbours in a mesh of 7 x 1"));
  wrong.mesh = Mesh{2, 2};
  CHECK_THROWS_WITH(routes_for(wrong), Catch::Contains("has 4 switches, not 7"));
  Graph wrapped = assemble(std::vector<std::uint32_t>(6, 0),
                           {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}, {2, 3}}, {{0}});
  wrapped.mesh = Mesh{3, 2};
  CHECK_THROWS_WITH(routes_for(wrapped), Catch::Contains("switches 2 and 3 are linked"));
  Graph holes = assemble({0, 0, 0, 0}, {{0, 1}, {1, 3}, {2, 3}}, {{0}});
  holes.mesh = Mesh{2, 2};
  CHECK_THROWS_WITH(routes_for(holes), Catch::Contains("switches 0 and 2 are neighbours"));
  CHECK_THROWS_WITH(up_down_routes(generate_torus({129, 128})), Catch::Contains("smaller network"));
}
