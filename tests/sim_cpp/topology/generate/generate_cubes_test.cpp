// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <catch2/catch.hpp>
#include <set>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/topology/generate/port_order.hpp"
#include "topology/distances.hpp"
#include "topology/files/json_io.hpp"
#include "topology/info.hpp"
#include "topology/routes/route_check.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

std::uint32_t links_of(const Graph& graph, SwitchId s) {
  std::uint32_t links = 0;
  for (const Peer& peer : graph.peers(s)) links += peer.kind == Peer::Kind::kSwitch;
  return links;
}

/// What every generated cube promises, and that each of its switches sees the same distances.
void check_cube(const Graph& graph, std::uint32_t degree, std::uint32_t diameter) {
  CAPTURE(graph.generator);
  check_port_order(graph);
  CHECK(parse_json(to_json(graph), "cube") == graph);
  std::set<std::pair<SwitchId, SwitchId>> pairs;
  for (const Link& link : graph.links()) CHECK(pairs.emplace(link.a.sw, link.b.sw).second);
  const std::vector<Distances> distances = switch_distances(graph);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    CHECK(links_of(graph, s) == degree);
    CHECK(distances[s].farthest == diameter);
    CHECK(distances[s].total == distances[0].total);
  }
  const Routes routes = routes_for(graph);
  CHECK_FALSE(delivery_fault(graph, routes));
  CHECK_FALSE(up_down_fault(graph, routes));
  CHECK(describe_topology(graph, routes).deadlock_free);
}

}  // namespace

TEST_CASE("a torus is regular and half of each ring is its diameter", "[topology][generate]") {
  check_cube(generate_torus({5, 4}), 4, 2 + 2);
  check_cube(generate_torus({3, 4, 5}, 2), 6, 1 + 2 + 2);
  check_cube(generate_torus({7}), 2, 3);
  check_cube(generate_torus({2, 6}), 3, 1 + 3);  // a ring of two has one link
  check_cube(generate_torus({1, 6}), 2, 3);
  check_cube(generate_torus({1}, 3), 0, 0);
  check_cube(generate_torus({3, 3, 3, 3}), 8, 4);
  const Graph graph = generate_torus({5, 4}, 2);
  CHECK(graph.links().size() == 2 * 20);
  CHECK(graph.nodes() == 40);
  CHECK(graph.max_ports() == 6);
  CHECK(graph.node(7).at.sw == 3);
  // Switch 4 ends row 0: its neighbours are 0 and 3 in the row, 9 and 19 in the column.
  std::set<SwitchId> neighbours;
  for (const Peer& peer : graph.peers(4))
    if (peer.kind == Peer::Kind::kSwitch) neighbours.insert(peer.id);
  CHECK(neighbours == std::set<SwitchId>{0, 3, 9, 19});
}

TEST_CASE("a hypercube links numbers that differ in one bit", "[topology][generate]") {
  for (std::uint32_t n = 0; n <= 7; ++n) {
    const Graph graph = generate_hypercube(n, 2);
    check_cube(graph, n, n);
    CHECK(graph.switches() == 1u << n);
    CHECK(graph.links().size() == n * (1u << n) / 2);
    CHECK(graph.max_ports() == n + 2);
    for (const Link& link : graph.links()) CHECK(std::popcount(link.a.sw ^ link.b.sw) == 1);
  }
  CHECK(generate_hypercube(15).switches() == 1u << 15);
  CHECK(generate_torus({2, 2, 2}, 3).links() == generate_hypercube(3, 3).links());
}

TEST_CASE("cubes out of range are refused at once", "[topology][generate]") {
  const std::uint32_t huge = 4000000000u;
  CHECK_THROWS_WITH(generate_torus({}), Catch::Contains("no dimension"));
  CHECK_THROWS_WITH(generate_torus({4, 0}), Catch::Contains("torus 4 x 0, nodes per switch 1: 0 "));
  CHECK_THROWS_WITH(generate_torus({huge, huge, huge}), Catch::Contains("switches; 1 to 65536"));
  CHECK_THROWS_WITH(generate_torus({4, 4}, 13), Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_torus({4, 4}, 0), Catch::Contains("0 nodes"));
  CHECK_THROWS_WITH(generate_torus({4, 4}, huge), Catch::Contains("nodes; 1 to"));
  CHECK_THROWS_WITH(generate_torus(std::vector<std::uint32_t>(9, 2), 8),
                    Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_hypercube(16), Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_hypercube(huge), Catch::Contains("switches; 1 to 65536"));
  CHECK_THROWS_WITH(generate_hypercube(14, 3), Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_hypercube(3, 0), Catch::Contains("0 nodes"));
}
