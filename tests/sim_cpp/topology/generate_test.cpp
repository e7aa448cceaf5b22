// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "sim_cpp/topology/sample_networks.hpp"
#include "topology/bfs.hpp"
#include "topology/route_rules.hpp"

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
  check_routes_of(graph);
  // Every node to every other, at most 2 levels up; each link up is the way to as many.
  const Routes routes = routes_for(graph);
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
        check_routes_of(tree);
        CHECK(describe_topology(tree, routes_for(tree)).diameter == 2 * lowest);
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
  check_routes_of(graph);
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
  check_routes_of(graph);
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

namespace {

struct Wiring {
  std::map<std::pair<SwitchId, SwitchId>, int> local;             // links of two routers of a group
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> global;  // links of two groups
  std::vector<std::uint32_t> globals;                             // of a router
};

Wiring wiring(const Graph& graph, const DragonflySpec& spec) {
  Wiring result;
  result.globals.resize(graph.switches(), 0);
  for (const Link& link : graph.links()) {
    const std::uint32_t a = link.a.sw / spec.routers, b = link.b.sw / spec.routers;
    if (a == b) {
      ++result.local[{link.a.sw, link.b.sw}];
    } else {
      ++result.global[std::minmax(a, b)];
      ++result.globals[link.a.sw], ++result.globals[link.b.sw];
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a dragonfly links all routers of a group and all groups", "[topology][generate]") {
  const DragonflySpec specs[] = {{9, 4, 2, 2}, {1, 4, 2, 2}, {5, 4, 2, 1},  {4, 4, 2, 2},
                                 {2, 3, 4, 1}, {3, 1, 2, 4}, {33, 8, 4, 4}, {1, 1, 0, 3}};
  for (const DragonflySpec& spec : specs) {
    const Graph graph = generate_dragonfly(spec);
    CAPTURE(graph.generator);
    REQUIRE(graph.switches() == spec.groups * spec.routers);
    CHECK(graph.nodes() == graph.switches() * spec.nodes);
    CHECK(graph.max_ports() == spec.routers - 1 + spec.globals + spec.nodes);
    check_port_order(graph);
    CHECK(parse_json(to_json(graph), "dragonfly") == graph);

    const Wiring found = wiring(graph, spec);
    CHECK(found.local.size() == spec.groups * spec.routers * (spec.routers - 1) / 2);
    for (const auto& [pair, links] : found.local) CHECK(links == 1);
    CHECK(found.global.size() == spec.groups * (spec.groups - 1) / 2);
    const std::uint32_t others = spec.groups - 1;
    const std::uint32_t rounds = others == 0 ? 0 : spec.routers * spec.globals / others;
    for (const auto& [pair, links] : found.global) CHECK(links == static_cast<int>(rounds));
    for (const std::uint32_t globals : found.globals) {
      CHECK(globals <= spec.globals);
      if (rounds * others == spec.routers * spec.globals) CHECK(globals == spec.globals);
    }

    check_routes_of(graph);
    // A link of the group, one between groups, one of the other group.
    CHECK(describe_topology(graph, routes_for(graph)).diameter <= 3);
  }
}

TEST_CASE("global links are arranged by absolute numbers", "[topology][generate]") {
  // Nine groups of four routers with two global links: group 3 goes to 0 1, 2 4, 5 6, 7 8, a pair
  // from each router, and arrives as their channel 2 or 3: at their router 1.
  const Graph graph = generate_dragonfly({9, 4, 2, 1});
  const std::vector<std::vector<SwitchId>> ends = {{0 * 4 + 1, 1 * 4 + 1},
                                                   {2 * 4 + 1, 4 * 4 + 1},
                                                   {5 * 4 + 1, 6 * 4 + 1},
                                                   {7 * 4 + 1, 8 * 4 + 1}};
  for (SwitchId router = 0; router < 4; ++router) {
    std::vector<SwitchId> found;
    for (const Peer& peer : graph.peers(3 * 4 + router))
      if (peer.kind == Peer::Kind::kSwitch && peer.id / 4 != 3) found.push_back(peer.id);
    CHECK(found == ends[router]);
  }
}

TEST_CASE("dragonflies out of range are refused at once", "[topology][generate]") {
  const std::uint32_t huge = 4000000000u;
  CHECK_THROWS_WITH(
      generate_dragonfly({10, 4, 2, 2}),
      "dragonfly of 10 groups of 4 routers, global links per router 2, nodes per router 2: the 8 "
      "global links of a group reach at most 9 groups; use fewer groups or more links");
  CHECK_THROWS_WITH(generate_dragonfly({2, 4, 0, 2}), Catch::Contains("reach at most 1 groups"));
  CHECK_THROWS_WITH(generate_dragonfly({0, 4, 2, 2}), Catch::Contains("0 switches"));
  CHECK_THROWS_WITH(generate_dragonfly({9, 0, 2, 2}), Catch::Contains("0 switches"));
  CHECK_THROWS_WITH(generate_dragonfly({9, 4, 2, 0}), Catch::Contains("0 nodes"));
  CHECK_THROWS_WITH(generate_dragonfly({9, 8, 6, 4}), Catch::Contains("17 ports"));
  CHECK_THROWS_WITH(generate_dragonfly({huge, huge, huge, huge}), Catch::Contains("switches"));
  CHECK_THROWS_WITH(generate_dragonfly({1, 4, huge, huge}), Catch::Contains("nodes; 1 to"));
  CHECK_THROWS_WITH(generate_dragonfly({1, 4, huge, 1}), Catch::Contains("ports; 16 are possible"));
}
