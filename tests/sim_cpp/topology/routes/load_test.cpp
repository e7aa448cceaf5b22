// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/load.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/topology/sample_networks.hpp"
#include "support/seed.hpp"
#include "topology/info.hpp"

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

TEST_CASE("parallel links do not share the deterministic load", "[topology][load]") {
  const Graph graph = assemble({0, 0}, {{0, 1}, {0, 1}}, {{0}, {0}, {1}, {1}});
  const ChannelLoads loads = uniform_loads(graph, routes_for(graph));
  CHECK(loads.out[0][0] == Approx(4.0 / 3.0));
  CHECK(loads.out[0][1] == 0.0);
}

TEST_CASE("the route bound of a mesh is that of its bisection", "[topology][load]") {
  // Of an 8 x 8 mesh, a middle link of a row carries 4 * 32 of the 63 destinations' flits.
  const Graph graph = generate_mesh(8, 8);
  const ChannelLoads loads = uniform_loads(graph, routes_for(graph));
  CHECK(loads.largest == Approx(4.0 * 32 / 63));
  CHECK(loads.average_hops == Approx(16.0 / 3.0));
}

TEST_CASE("where only the node's own link limits, the bound is one", "[topology][load]") {
  const Graph star = generate_complete(1, 16);
  CHECK(route_bound_flits_per_node_cycle(uniform_loads(star, routes_for(star))) == 1.0);
  const Graph lonely = generate_complete(1, 1);
  const ChannelLoads loads = uniform_loads(lonely, routes_for(lonely));
  CHECK(loads.largest == 0.0);
  CHECK(route_bound_flits_per_node_cycle(loads) == 1.0);
}

TEST_CASE("what nodes send is what nodes receive, and loads follow each packet", "[topology]") {
  Rng rng(muster_seed(), 3);
  CAPTURE(muster_seed());
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const Graph graph = i % 2 == 0 ? generate_irregular(random_spec(rng)) : random_multigraph(rng);
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
