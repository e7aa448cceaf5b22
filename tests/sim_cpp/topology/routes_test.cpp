// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "topology/route_walk.hpp"

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
  CHECK_THROWS_WITH(routes_for(wrong), Contains("not neighbours in a mesh of 7 x 1"));
  wrong.mesh = Mesh{2, 2};
  CHECK_THROWS_WITH(routes_for(wrong), Contains("has 4 switches, not 7"));
  Graph wrapped = assemble(std::vector<std::uint32_t>(6, 0),
                           {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}, {2, 3}}, {{0}});
  wrapped.mesh = Mesh{3, 2};
  CHECK_THROWS_WITH(routes_for(wrapped), Contains("switches 2 and 3 are linked"));
  Graph holes = assemble({0, 0, 0, 0}, {{0, 1}, {1, 3}, {2, 3}}, {{0}});
  holes.mesh = Mesh{2, 2};
  CHECK_THROWS_WITH(routes_for(holes), Contains("switches 0 and 2 are neighbours"));
  CHECK_THROWS_WITH(up_down_routes(generate_torus({129, 128})), Contains("smaller network"));
}

TEST_CASE("channel loads of two switches are those counted by hand", "[topology][load]") {
  // Three nodes left, two right: each left node sends 2/4 of its flits over the link.
  const Graph graph = assemble({0, 0}, {{0, 1}}, {{0}, {0}, {0}, {1}, {1}});
  const ChannelLoads loads = uniform_loads(graph, routes_for(graph));
  CHECK(loads.out[0][0] == Approx(3 * 2 / 4.0));
  CHECK(loads.out[1][0] == Approx(2 * 3 / 4.0));
  CHECK(loads.out[0][1] == Approx(1.0));
  CHECK(loads.largest == Approx(1.5));
  CHECK(loads.average_hops == Approx(3.0 / 5.0));
  CHECK(route_bound_flits_per_node_cycle(loads) == Approx(1 / 1.5));
}

TEST_CASE("the route bound of a mesh is that of its bisection", "[topology][load]") {
  // Of an 8 x 8 mesh, a middle link of a row carries 4 * 32 of the 63 destinations' flits.
  const Graph graph = generate_mesh(8, 8);
  const ChannelLoads loads = uniform_loads(graph, routes_for(graph));
  CHECK(loads.largest == Approx(4.0 * 32 / 63));
  CHECK(loads.average_hops == Approx(16.0 / 3.0));
}

TEST_CASE("what nodes send is what nodes receive, and loads follow each packet", "[topology]") {
  Random rng(muster_seed(), 3);
  std::vector<Graph> graphs{generate_mesh(32, 33), generate_fat_tree(4, 5, 1)};  // by threads
  for (int i = 0; i < 20; ++i) {
    graphs.push_back(generate_irregular(random_spec(rng)));
    graphs.push_back(random_multigraph(rng));
  }
  for (const Graph& graph : graphs) {
    CAPTURE(graph.generator);
    if (graph.nodes() < 2) continue;
    const Routes routes = routes_for(graph);
    const ChannelLoads loads = uniform_loads(graph, routes);
    // Packet by packet, the slow way.
    std::vector<std::vector<double>> walked(graph.switches());
    for (SwitchId s = 0; s < graph.switches(); ++s) walked[s].assign(graph.ports(s), 0.0);
    for (NodeId from = 0; from < graph.nodes(); ++from)
      for (NodeId to = 0; to < graph.nodes(); ++to) {
        if (from == to) continue;
        SwitchId at = graph.node(from).at.sw;
        while (true) {
          const std::uint32_t port = routes.next_port(at, to);
          walked[at][port] += 1.0 / (graph.nodes() - 1.0);
          if (graph.peer(at, port).kind == Peer::Kind::kNode) break;
          at = graph.peer(at, port).id;
        }
      }
    for (SwitchId s = 0; s < graph.switches(); ++s)
      for (std::uint32_t p = 0; p < graph.ports(s); ++p)
        REQUIRE(loads.out[s][p] == Approx(walked[s][p]).margin(1e-9));
  }
}

TEST_CASE("the networks of the paper have the route bounds that the design expects",
          "[topology][load]") {
  double small = 0.0, large = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph a = generate_irregular({75, 256, 8, 0.75, seed, RandomModel::kUniform});
    const Graph b = generate_irregular({300, 1024, 8, 0.75, seed, RandomModel::kUniform});
    small += route_bound_flits_per_node_cycle(uniform_loads(a, routes_for(a))) / 20;
    large += route_bound_flits_per_node_cycle(uniform_loads(b, routes_for(b))) / 20;
  }
  CHECK(small == Approx(0.025).margin(0.003));
  CHECK(large == Approx(0.0075).margin(0.0015));
}

/// Six switches in a ring, one node each. Ports: the lower neighbour, the higher one, the node.
Graph ring() {
  return assemble(std::vector<std::uint32_t>(6, 0),
                  {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}, {{0}, {1}, {2}, {3}, {4}, {5}});
}

/// All packets run round the ring in one direction: they arrive, and they can deadlock.
Routes one_way(const Graph& graph) {
  Routes routes(graph.switches(), graph.destinations());
  for (SwitchId s = 0; s < 6; ++s)
    for (std::uint32_t d = 0; d < graph.destinations(); ++d) {
      std::uint16_t mask = 0;
      for (std::uint32_t p = 0; p < 2; ++p)
        if (graph.peer(s, p).id == (s + 1) % 6) mask = static_cast<std::uint16_t>(1u << p);
      if (d % 6 != s)
        routes.set(s, d, mask);
      else
        routes.set(s, d, d < 6 ? 0b100 : 0);
    }
  return routes;
}

TEST_CASE("routes round a ring arrive but have a cycle of dependencies", "[topology][deadlock]") {
  const Graph graph = ring();
  const Routes routes = one_way(graph);
  CHECK_FALSE(delivery_fault(graph, routes));
  CHECK(up_down_fault(graph, routes));
  const DependencyGraph dependencies(graph, routes);
  CHECK_FALSE(dependencies.deadlock_free());
  const std::vector<Channel> cycle = dependencies.cycle();
  REQUIRE(cycle.size() == 6);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    CHECK(cycle[i].to.sw == cycle[(i + 1) % 6].from.sw);
    CHECK(graph.peer(cycle[i].from.sw, cycle[i].from.port).id == cycle[i].to.sw);
  }
  CHECK_THAT(describe(cycle), Contains("0:0 -> 1:0") && Contains("5:0 -> 0:1"));
}

TEST_CASE("one adaptive bit too many closes a cycle", "[topology][deadlock]") {
  const Graph graph = ring();
  Routes routes = up_down_routes(graph);
  REQUIRE(DependencyGraph(graph, routes).deadlock_free());
  // Root 0; switch 3 is the bottom. Letting packets pass through it upwards closes both circles.
  for (SwitchId s = 0; s < 6; ++s)
    for (std::uint32_t d = 0; d < graph.destinations(); ++d)
      if (d % 6 != s) routes.set(s, d, 0b011);
  CHECK_FALSE(DependencyGraph(graph, routes).deadlock_free());
}

TEST_CASE("adaptive bits count as dependencies, not only the lowest", "[topology][deadlock]") {
  // A path of three switches with double links: either link in may wait for either link out.
  const Graph graph = assemble({0, 0, 0}, {{0, 1}, {0, 1}, {1, 2}, {1, 2}}, {{0}, {2}});
  const DependencyGraph dependencies(graph, routes_for(graph));
  for (std::uint32_t c = 0; c < dependencies.channels().size(); ++c) {
    const bool passes = dependencies.channels()[c].to.sw == 1;
    CHECK(dependencies.successors(c).size() == (passes ? 2 : 0));
  }
}

TEST_CASE("the delivery check finds each kind of broken table", "[topology][routes]") {
  const Graph graph = ring();
  const Routes good = up_down_routes(graph);
  REQUIRE_FALSE(delivery_fault(graph, good));
  const auto fault = [&](SwitchId s, std::uint32_t destination, std::uint16_t mask) {
    Routes broken = good;
    broken.set(s, destination, mask);
    return delivery_fault(graph, broken).value_or("none");
  };
  CHECK(fault(2, 5, 0) == "switch 2 towards node 5: no port");
  CHECK(fault(2, 5, 0b100) == "switch 2 towards node 5: port 2 leads to no switch");
  CHECK(fault(2, 11, 0b1001) == "switch 2 towards switch 5: port 3 leads to no switch");
  CHECK(fault(2, 2, 0b001) == "switch 2 towards node 2: mask 0x1 instead of 0x4");
  CHECK(fault(2, 8, 0b001) == "switch 2 towards switch 2: mask 0x1 instead of 0x0");
  // Two switches that send to each other, always or adaptively.
  Routes broken = good;
  broken.set(2, 5, 0b010);
  broken.set(3, 5, 0b001);
  CHECK(delivery_fault(graph, broken) == "from switch 2 a packet for node 5 may run in circles");
  broken.set(2, 5, 0b011);
  broken.set(3, 5, 0b011);
  CHECK(delivery_fault(graph, broken));
}

}  // namespace
