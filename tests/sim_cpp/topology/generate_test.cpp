// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/folder.hpp"
#include "topology/bfs.hpp"
#include "topology/route_rules.hpp"

using namespace muster;
using namespace muster::topology;

TEST_CASE("regular networks have their switches, links, nodes and ports", "[topology][generate]") {
  struct Size {
    Graph graph;
    std::uint32_t switches, nodes, links, ports, diameter;
  };
  for (const Size& size : {Size{generate_mesh(4, 3, 2), 12, 24, 3 * 3 + 4 * 2, 6, 5},
                           {generate_mesh(1, 1), 1, 1, 0, 1, 0},
                           {generate_mesh(2, 1), 2, 2, 1, 2, 1},
                           {generate_tree(3, 2, 4), 13, 36, 12, 5, 4},
                           {generate_tree(5, 0, 3), 1, 3, 0, 3, 0},
                           {generate_complete(6, 2), 6, 12, 15, 7, 1},
                           {generate_fat_tree(4, 3), 48, 64, 2 * 64, 8, 4},
                           {generate_fat_tree(4, 3, 2), 28, 64, 4 * 4 + 8 * 4, 6, 4},
                           {generate_clos(8, 5), 4 + 5, 20, 20, 8, 2},
                           {generate_pods(8), 16 + 32 + 32, 128, 256, 8, 4},
                           {generate_pods(4), 4 + 8 + 8, 16, 32, 4, 4},
                           {generate_clos(16, 1), 1, 16, 0, 16, 0}}) {
    const Graph& graph = size.graph;
    CAPTURE(graph.generator);
    const TopologyInfo info = describe_topology(graph, routes_for(graph));
    CHECK(info.switches == size.switches);
    CHECK(info.nodes == size.nodes);
    CHECK(info.links == size.links);
    CHECK(graph.max_ports() == size.ports);
    CHECK(info.diameter == size.diameter);
    check_port_order(graph);
    CHECK(parse_json(to_json(graph), "regular") == graph);
  }
  CHECK_FALSE(mesh_fault(generate_mesh(4, 3, 2)));
  CHECK(ready_network("mesh-8x8.json") == generate_mesh(8, 8));
  CHECK(ready_network("mesh-4x4.json") == generate_mesh(4, 4));
  CHECK(ready_network("tree-3x3.json") == generate_tree(3, 3, 3));
}

TEST_CASE("each link up from a switch of a fat tree is the way to as many nodes",
          "[topology][generate]") {
  const Graph graph = generate_fat_tree(4, 3);
  const Routes routes = routes_for(graph);
  for (SwitchId s = 16; s < 48; ++s) {
    std::vector<int> uses(8, 0), up;
    for (NodeId n = 0; n < graph.nodes(); ++n) ++uses[routes.next_port(s, n)];
    for (std::uint32_t p = 0; p < 8; ++p)
      if (graph.peer(s, p).kind == Peer::Kind::kSwitch && graph.peer(s, p).id < s)
        up.push_back(uses[p]);
    CHECK(up == std::vector<int>(4, s >= 32 ? 15 : 12));
  }
}

TEST_CASE("a tapered fat tree has fewer links up than down", "[topology][generate]") {
  CHECK(generate_fat_tree(4, 3, 2).name == "fat-tree-4x3-taper-2");
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

TEST_CASE("networks out of range are refused at once", "[topology][generate]") {
  constexpr std::uint32_t kHuge = 4000000000u;
  struct Refusal {
    std::function<Graph()> make;
    const char* token;
  };
  const Refusal refusals[] = {
      {[] { return generate_fat_tree(1, 2); }, "arity of 2 to 32"},
      {[] { return generate_fat_tree(44, 2, 2); }, "arity of 2 to 42"},
      {[] { return generate_fat_tree(4, 0); }, "dimension of at least 1"},
      {[] { return generate_fat_tree(4, kHuge); }, "smaller dimension"},
      {[] { return generate_fat_tree(4, 2, 3); }, "taper 3: use a taper that divides the arity"},
      {[] { return generate_clos(7, 2); }, "even number of ports"},
      {[] { return generate_pods(7); }, "even number of ports"},
      {[] { return generate_pods(66); }, "from 4 to 64"},
      {[] { return generate_clos(8, 9); }, "1 to 8 leaves"},
      {[] { return generate_mesh(kHuge, kHuge); }, "switches; 1 to"},
      {[] { return generate_mesh(4, 4, 61); }, "65 ports"},
      {[] { return generate_mesh(4, 4, kHuge); }, "nodes; 1 to"},
      {[] { return generate_tree(0, 2, 1); }, "arity of at least 1"},
      {[] { return generate_tree(1, kHuge, 1); }, "switches; 1 to"},
      {[] { return generate_tree(kHuge, 1, kHuge); }, "switches; 1 to"},
      {[] { return generate_tree(64, 2, 1); }, "65 ports"},
      {[] { return generate_complete(65, 1); }, "65 ports"},
      {[] { return generate_complete(0, 1); }, "0 switches"},
      {[] { return generate_torus({}); }, "no dimension"}};
  for (const auto& [make, token] : refusals) CHECK_THROWS_WITH(make(), Contains(token));

  struct Torus {
    std::vector<std::uint32_t> sizes;
    std::uint32_t nodes;
    const char* token;
  };
  for (const auto& [sizes, nodes, token] : {Torus{{}, 1, "no dimension"},
                                            {{4, 0}, 1, "torus 4 x 0, nodes per switch 1: 0 "},
                                            {{kHuge, kHuge, kHuge}, 1, "switches; 1 to 65536"},
                                            {{4, 4}, kHuge, "nodes; 1 to"},
                                            {std::vector<std::uint32_t>(9, 2), 56, "65 ports"}})
    CHECK_THROWS_WITH(generate_torus(sizes, nodes), Contains(token));
  CHECK_THROWS_WITH(generate_hypercube(kHuge), Contains("switches; 1 to 65536"));

  const std::pair<DragonflySpec, const char*> dragonflies[] = {
      {{10, 4, 2, 2}, "the 8 global links of a group reach at most 9 groups; use fewer groups or"},
      {{2, 4, 0, 2}, "reach at most 1 groups"},
      {{9, 0, 2, 2}, "0 switches"},
      {{9, 4, 2, 0}, "0 nodes"},
      {{9, 8, 6, 52}, "65 ports"},
      {{kHuge, kHuge, kHuge, kHuge}, "switches"},
      {{1, 4, kHuge, kHuge}, "nodes; 1 to"},
      {{1, 4, kHuge, 1}, "ports; 64 are possible"}};
  for (const auto& [spec, token] : dragonflies)
    CHECK_THROWS_WITH(generate_dragonfly(spec), Contains(token));
  // Levels in a file must be those of the network.
  Graph wrong = generate_clos(8, 2);
  wrong.levels.back() = 2;
  CHECK_THROWS_WITH(parse_json(to_json(wrong), "f"), Contains("differ by 1"));
  wrong.levels.pop_back();
  CHECK_THROWS_WITH(parse_json(to_json(wrong), "f"), Contains("5 for 6 switches"));
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
  const SwitchDistances distances = switch_distances(graph);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    CHECK(links_of(graph, s) == degree);
    CHECK(distances.farthest[s] == diameter);
    const auto levels = bfs_levels(graph, s);
    const std::uint64_t of_one = std::accumulate(levels.begin(), levels.end(), std::uint64_t{0});
    CHECK(distances.total == graph.switches() * of_one);
  }
  check_routes_of(graph);
}

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

TopologyInfo info_of(const Graph& graph) { return describe_topology(graph, routes_for(graph)); }

TEST_CASE("Figure 1 has the size the paper states", "[topology][figure1]") {
  const Graph graph = ready_network("figure1.json");
  const TopologyInfo info = info_of(graph);
  CHECK(info.switches == 9);
  CHECK(info.nodes == 26);
  CHECK(info.links == 12);
  CHECK(info.ports == 8);
  CHECK(info.connectivity == Approx(50.0 / 72.0));
  CHECK(info.deadlock_free);
  CHECK(info.dependency_cycle.empty());
  REQUIRE(graph.groups.contains("paper"));
  CHECK(graph.groups.at("paper").size() == 14);
  CHECK(graph.node_at({3, 4}) == graph.groups.at("paper")[3]);
  CHECK_THAT(graph.note, Contains("reconstruction"));
}

TEST_CASE("distances are those of shortest paths", "[topology][info]") {
  CHECK(info_of(generate_mesh(8, 8)).diameter == 14);
  CHECK(info_of(generate_mesh(8, 8)).average_distance == Approx(16.0 / 3.0));
  CHECK(info_of(generate_complete(1, 4)).average_distance == 0.0);
}

TEST_CASE("a fat tree of 16384 nodes has the distances of its levels", "[topology][info][soak]") {
  const TopologyInfo info = info_of(generate_fat_tree(4, 7));
  CHECK(std::tuple(info.switches, info.nodes, info.links) == std::tuple(28672u, 16384u, 98304u));
  CHECK(std::pair(info.diameter, info.deadlock_free) == std::pair(12u, true));
  double links = 0;  // 3 * 4^level nodes have their lowest common switches so far above
  for (int level = 1; level < 7; ++level) links += 2 * level * 3 * std::pow(4.0, level);
  CHECK(info.average_hops == Approx(links / 16383));
  CHECK(info.route_bound_flits_per_node_cycle == 1.0);
}

TEST_CASE("the switch at the top of the routes has its name after its number", "[topology][info]") {
  Graph graph = ready_network("figure1.json");
  const TopologyInfo plain = info_of(graph);
  CHECK_FALSE(
      muster::test::valid_json(info_json(plain, {"x", "1", 1})).contains("routing_root_name"));
  graph.switch_names = {{plain.routing_root, "spine"}, {plain.routing_root + 1, "leaf"}};
  const TopologyInfo named = info_of(graph);
  CHECK_THAT(info_text(named), Contains(" around switch 1 \"spine\"\n"));
  CHECK(muster::test::valid_json(info_json(named, {"x", "1", 1})).at("routing_root_name") ==
        "spine");
}

}  // namespace
