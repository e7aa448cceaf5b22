// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/topology/generate/port_order.hpp"
#include "sim_cpp/topology/sample_networks.hpp"
#include "topology/files/json_io.hpp"
#include "topology/info.hpp"
#include "topology/routes/dependency.hpp"
#include "topology/routes/mesh.hpp"
#include "topology/routes/route_check.hpp"

using namespace muster;
using namespace muster::topology;

TEST_CASE("a mesh has its switches, links and nodes in place", "[topology][generate]") {
  const Graph graph = generate_mesh(4, 3, 2);
  CHECK(graph.switches() == 12);
  CHECK(graph.nodes() == 24);
  CHECK(graph.links().size() == 3 * 3 + 4 * 2);
  CHECK(graph.max_ports() == 6);
  CHECK_FALSE(mesh_fault(graph));
  CHECK(graph.node_at({5, 4}) == NodeId{10});
  check_port_order(graph);
  CHECK(generate_mesh(1, 1).max_ports() == 1);
  CHECK(generate_mesh(2, 1).max_ports() == 2);
  CHECK(generate_mesh(3, 3).max_ports() == 5);
  CHECK(ready_network("mesh-8x8.json") == generate_mesh(8, 8));
  CHECK(ready_network("mesh-4x4.json") == generate_mesh(4, 4));
}

TEST_CASE("a tree has its nodes at the leaves", "[topology][generate]") {
  const Graph graph = generate_tree(3, 2, 4);
  CHECK(graph.switches() == 13);
  CHECK(graph.links().size() == 12);
  CHECK(graph.nodes() == 36);
  CHECK(graph.max_ports() == 5);
  for (NodeId n = 0; n < graph.nodes(); ++n) CHECK(graph.node(n).at.sw == 4 + n / 4);
  CHECK(bfs_levels(graph, 0).back() == 2);
  check_port_order(graph);
  CHECK(generate_tree(5, 0, 3).switches() == 1);
  CHECK(ready_network("tree-3x3.json") == generate_tree(3, 3, 3));
}

TEST_CASE("a complete graph links every pair once", "[topology][generate]") {
  const Graph graph = generate_complete(6, 2);
  CHECK(graph.links().size() == 15);
  CHECK(graph.max_ports() == 7);
  CHECK(describe_topology(graph, routes_for(graph)).diameter == 1);
  check_port_order(graph);
}

TEST_CASE("a fat tree has k^n nodes, each with a way up to every top switch",
          "[topology][generate]") {
  const Graph graph = generate_fat_tree(4, 3);
  CHECK(graph.switches() == 48);
  CHECK(graph.nodes() == 64);
  CHECK(graph.links().size() == 2 * 64);
  CHECK(graph.max_ports() == 8);
  check_port_order(graph);
  const Routes routes = routes_for(graph);
  CHECK_FALSE(delivery_fault(graph, routes));
  CHECK_FALSE(up_down_fault(graph, routes));
  // Every node to every other, at most 2 levels up; each link up is the way to as many.
  CHECK(describe_topology(graph, routes).deadlock_free);
  for (SwitchId s = 16; s < 48; ++s) {
    std::vector<int> uses(8, 0);
    for (NodeId n = 0; n < graph.nodes(); ++n) ++uses[routes.next_port(s, n)];
    std::vector<int> up;
    for (std::uint32_t p = 0; p < 8; ++p)
      if (graph.peer(s, p).kind == Peer::Kind::kSwitch && graph.peer(s, p).id < s)
        up.push_back(uses[p]);
    CHECK(up == std::vector<int>(4, s >= 32 ? 15 : 12));
  }
  CHECK(generate_fat_tree(4, 1).switches() == 1);
  CHECK(parse_json(to_json(graph), "fat tree") == graph);
}

TEST_CASE("a tapered fat tree has fewer links up than down", "[topology][generate]") {
  const Graph graph = generate_fat_tree(4, 3, 2);
  CHECK(graph.switches() == 4 + 8 + 16);
  CHECK(graph.nodes() == 64);
  CHECK(graph.links().size() == 4 * 4 + 8 * 4);
  CHECK(graph.max_ports() == 6);
  CHECK(graph.name == "fat-tree-4x3-taper-2");
  for (std::uint32_t arity = 2; arity <= 12; ++arity)
    for (std::uint32_t taper = 1; taper <= arity; ++taper) {
      if (arity % taper != 0 || arity + arity / taper > kMaxPorts) continue;
      for (std::uint32_t dimension = 1; dimension <= 3; ++dimension) {
        const Graph tree = generate_fat_tree(arity, dimension, taper);
        CAPTURE(tree.generator);
        check_port_order(tree);
        const std::uint32_t lowest = dimension - 1;
        for (SwitchId s = 0; s < tree.switches(); ++s) {
          std::uint32_t up = 0, down = 0;
          for (const Peer& peer : tree.peers(s)) {
            if (peer.kind == Peer::Kind::kOpen) continue;
            const bool above = peer.kind == Peer::Kind::kSwitch && peer.id < s;
            ++(above ? up : down);
          }
          REQUIRE(down == arity);
          REQUIRE(up == (tree.levels[s] == 0 ? 0 : arity / taper));
        }
        CHECK(tree.levels.back() == lowest);
        if (tree.switches() > 200) continue;
        const Routes routes = routes_for(tree);
        CHECK_FALSE(delivery_fault(tree, routes));
        CHECK_FALSE(up_down_fault(tree, routes));
        const TopologyInfo info = describe_topology(tree, routes);
        CHECK(info.deadlock_free);
        CHECK(info.diameter == 2 * lowest);
      }
    }
  CHECK(generate_fat_tree(4, 3, 1) == generate_fat_tree(4, 3));
}

TEST_CASE("a Clos network links every leaf to every spine", "[topology][generate]") {
  const Graph graph = generate_clos(8, 5);
  CHECK(graph.switches() == 4 + 5);
  CHECK(graph.nodes() == 20);
  CHECK(graph.links().size() == 20);
  check_port_order(graph);
  const Routes routes = routes_for(graph);
  CHECK_FALSE(delivery_fault(graph, routes));
  CHECK_FALSE(up_down_fault(graph, routes));
  CHECK(generate_clos(16, 1).nodes() == 16);
  CHECK(generate_clos(16, 16).nodes() == 128);
}

TEST_CASE("networks of stages out of range are refused at once", "[topology][generate]") {
  CHECK_THROWS_WITH(generate_fat_tree(1, 2), Catch::Contains("arity of 2 to 8"));
  CHECK_THROWS_WITH(generate_fat_tree(9, 2), Catch::Contains("arity of 2 to 8"));
  CHECK_THROWS_WITH(generate_fat_tree(4, 0), Catch::Contains("dimension of at least 1"));
  CHECK_THROWS_WITH(generate_fat_tree(4, 4000000000u), Catch::Contains("smaller dimension"));
  CHECK_THROWS_WITH(
      generate_fat_tree(4, 2, 3),
      "fat tree of arity 4 and dimension 2, taper 3: use a taper that divides the arity");
  CHECK_THROWS_WITH(generate_fat_tree(4, 2, 0), Catch::Contains("divides the arity"));
  CHECK_THROWS_WITH(generate_fat_tree(12, 2, 2), Catch::Contains("arity of 2 to 10"));
  CHECK_THROWS_WITH(generate_fat_tree(4, 4000000000u, 4), Catch::Contains("smaller dimension"));
  CHECK_THROWS_WITH(generate_clos(7, 2), Catch::Contains("even number of ports"));
  CHECK_THROWS_WITH(generate_clos(18, 2), Catch::Contains("even number of ports"));
  CHECK_THROWS_WITH(generate_clos(8, 9), Catch::Contains("1 to 8 leaves"));
  CHECK_THROWS_WITH(generate_clos(8, 0), Catch::Contains("1 to 8 leaves"));
  // Levels in a file must be those of the network.
  Graph wrong = generate_clos(8, 2);
  wrong.levels.back() = 2;
  CHECK_THROWS_WITH(parse_json(to_json(wrong), "f"), Catch::Contains("differ by 1"));
  wrong.levels.pop_back();
  CHECK_THROWS_WITH(parse_json(to_json(wrong), "f"), Catch::Contains("5 for 6 switches"));
}

TEST_CASE("regular networks out of range are refused at once", "[topology][generate]") {
  const std::uint32_t huge = 4000000000u;
  CHECK_THROWS_WITH(generate_mesh(0, 4), Catch::Contains("0 switches"));
  CHECK_THROWS_WITH(generate_mesh(huge, huge), Catch::Contains("switches; 1 to"));
  CHECK_THROWS_WITH(generate_mesh(4, 4, 13), Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_mesh(4, 4, 0), Catch::Contains("0 nodes"));
  CHECK_THROWS_WITH(generate_mesh(4, 4, huge), Catch::Contains("nodes; 1 to"));
  CHECK_THROWS_WITH(generate_tree(0, 2, 1), Catch::Contains("arity of at least 1"));
  CHECK_THROWS_WITH(generate_tree(15, huge, 1), Catch::Contains("switches; 1 to"));
  CHECK_THROWS_WITH(generate_tree(1, huge, 1), Catch::Contains("switches; 1 to"));
  CHECK_THROWS_WITH(generate_tree(huge, 1, huge), Catch::Contains("switches; 1 to"));
  CHECK_THROWS_WITH(generate_tree(16, 2, 1), Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_complete(17, 1), Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_complete(huge, 1), Catch::Contains("switches; 1 to"));
  CHECK_THROWS_WITH(generate_complete(0, 1), Catch::Contains("0 switches"));
}
