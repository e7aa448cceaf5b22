// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "topology/route_walk.hpp"

using namespace muster;
using namespace muster::topology;

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

namespace {

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

}  // namespace

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
  CHECK_THAT(describe(cycle), Catch::Contains("0:0 -> 1:0") && Catch::Contains("5:0 -> 0:1"));
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
