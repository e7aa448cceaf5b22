// SPDX-License-Identifier: Apache-2.0
#include "topology/route_rules.hpp"

#include "sim_cpp/topology/sample_networks.hpp"

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

TEST_CASE("all destinations of a run have one mask, runs cover all, and no packet runs in circles",
          "[topology][routes]") {
  for (const Graph& graph : networks()) {
    CAPTURE(graph.name);
    const Routes routes = routes_for(graph);
    CHECK(routes.by_rule());
    CHECK(delivery_fault(graph, routes).value_or("") == "");
    CHECK(describe(DependencyGraph(graph, routes).cycle()) == "");
    Routes table = routes;
    table.set(0, 0, routes.mask(0, 0));
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      CHECK(onward_ports(graph, routes, s) == onward_ports(graph, table, s));
      for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
        for (std::uint32_t p = 0; p < graph.ports(s); ++p)
          for (std::uint32_t i = d; i < routes.next_by(PortMask{1} << p, s, d); ++i)
            REQUIRE((routes.mask(s, i) >> p & 1) == 0);
        const std::uint32_t end = routes.run_end(s, d);
        REQUIRE(end > d);
        REQUIRE(end <= graph.destinations());
        for (std::uint32_t other = d; other < end; ++other)
          REQUIRE(routes.mask(s, other) == routes.mask(s, d));
      }
    }
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
  CHECK_THROWS_WITH(routes.set(0, 1, 1), Contains("the routing tables of 22500 switches"));
}

using namespace muster;

std::vector<std::vector<std::uint32_t>> tori() {
  std::vector<std::vector<std::uint32_t>> list{{4, 2, 3},    {3, 3, 3}, {2, 5, 4},       {5, 1, 4},
                                               {2, 2, 2, 2}, {7, 6},    {3, 2, 2, 3, 2}, {8, 9}};
  for (std::uint32_t size = 2; size <= 13; ++size) list.push_back({size});
  for (std::uint32_t x = 2; x <= 6; ++x)
    for (std::uint32_t y = 2; y <= 6; ++y) list.push_back({x, y});
  return list;
}

std::vector<Graph> fat_trees() {
  std::vector<Graph> list;
  for (std::uint32_t arity = 2; arity <= 4; ++arity)
    for (std::uint32_t dimension = 2; dimension <= 4; ++dimension)
      for (std::uint32_t taper = 1; taper <= arity; ++taper)
        if (arity % taper == 0 && (arity < 4 || dimension < 4))
          list.push_back(generate_fat_tree(arity, dimension, taper));
  list.push_back(generate_clos(8, 5));
  list.push_back(generate_clos(14, 14));
  return list;
}

/// The same network with two ports more a switch, all in another order, some of its links parallel
/// and its nodes renumbered.
Graph rewired(const Graph& graph, Random& rng) {
  Graph result;
  result.levels = graph.levels;
  std::vector<std::vector<std::uint32_t>> order(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    result.add_switch(graph.ports(s) + 2);
    order[s].resize(graph.ports(s) + 2);
    std::iota(order[s].begin(), order[s].end(), 0);
    for (std::size_t i = order[s].size(); i > 1; --i)
      std::swap(order[s][i - 1], order[s][rng.below(i)]);
  }
  const auto take = [&](SwitchId s) {
    const PortRef port{s, order[s].back()};
    order[s].pop_back();
    return port;
  };
  for (const Link& link : graph.links()) result.add_link(take(link.a.sw), take(link.b.sw));
  for (NodeId n = graph.nodes(); n-- > 0;) result.add_node(take(graph.node(n).at.sw));
  for (const Link& link : graph.links())
    if (!order[link.a.sw].empty() && !order[link.b.sw].empty() && rng.below(2) == 0)
      result.add_link(take(link.a.sw), take(link.b.sw));
  return result;
}

void compare(const Graph& graph) {
  const Routes rule = routes_for(graph), table = up_down_routes(graph);
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
      CAPTURE(s, d);
      REQUIRE(rule.mask(s, d) == table.mask(s, d));
    }
  CHECK(up_down_fault(graph, rule).value_or("") == "");
}

TEST_CASE("the rule of a torus has the entries of the up*/down* table", "[topology][routes]") {
  Random rng(muster_seed(), 11);
  for (const auto& sizes : tori()) {
    CAPTURE(sizes);
    const Graph graph = generate_torus(sizes, 2);
    CHECK_FALSE(torus_sizes(graph).empty());
    compare(graph);
    const Graph other = rewired(graph, rng);
    CHECK(torus_sizes(other) == torus_sizes(graph));
    compare(other);
  }
  compare(generate_hypercube(5));
}

TEST_CASE("the rule of a fat tree has the entries of the up*/down* table by levels",
          "[topology][routes]") {
  Random rng(muster_seed(), 12);
  for (const Graph& graph : fat_trees()) {
    CAPTURE(graph.name);
    CHECK(route_rule(graph) != nullptr);
    compare(graph);
    const Graph other = rewired(graph, rng);
    CHECK(route_rule(other) != nullptr);
    compare(other);
  }
}

TEST_CASE("a torus is known by its links, whatever rings it has", "[topology][routes]") {
  using Sizes = std::vector<std::uint32_t>;
  CHECK(torus_sizes(generate_torus({5, 4})) == Sizes{5, 4});
  CHECK(torus_sizes(generate_torus({2, 3, 7})) == Sizes{2, 3, 7});
  CHECK(torus_sizes(generate_torus({1, 6, 1})) == Sizes{6});
  CHECK(torus_sizes(generate_hypercube(4)) == Sizes{2, 2, 2, 2});
  CHECK(torus_sizes(generate_complete(3)) == Sizes{3});
  for (const Graph& other : {generate_complete(1), generate_complete(5), generate_mesh(4, 4),
                             generate_tree(2, 3, 1), generate_dragonfly({})})
    CHECK(torus_sizes(other).empty());
}

TEST_CASE("a network that is a torus or fat tree except for one link has a table",
          "[topology][routes]") {
  for (Graph graph : {generate_torus({4, 5}), generate_fat_tree(3, 3)}) {
    CAPTURE(graph.name);
    Graph cut;
    cut.levels = graph.levels;
    for (SwitchId s = 0; s < graph.switches(); ++s) cut.add_switch(graph.ports(s));
    for (std::size_t i = 1; i < graph.links().size(); ++i)
      cut.add_link(graph.links()[i].a, graph.links()[i].b);
    for (const Node& node : graph.node_list()) cut.add_node(node.at);
    CHECK(torus_sizes(cut).empty());
    CHECK(route_rule(cut) == nullptr);
    compare(cut);
  }
}

TEST_CASE("a torus of 65536 switches needs no table", "[topology][routes]") {
  const Graph graph = generate_torus({256, 256});
  const Routes routes = routes_for(graph);
  const auto length = [&](SwitchId from, NodeId to) {
    std::uint32_t hops = 0;
    for (SwitchId s = from; s != graph.node(to).at.sw && hops < graph.switches(); ++hops)
      s = graph.peer(s, routes.next_port(s, to)).id;
    return hops;
  };
  CHECK(length(0, 255) == 1);                // over the link that closes the ring
  CHECK(length(0, 128 * 256 + 128) == 256);  // the remotest
  CHECK(length(128, 129) == 1);              // up from the bottom of a ring
  CHECK(length(127, 129) == 254);            // on two arms: over the top
}

}  // namespace
