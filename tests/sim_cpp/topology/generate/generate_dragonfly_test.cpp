// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "sim_cpp/topology/generate/port_order.hpp"
#include "topology/files/json_io.hpp"
#include "topology/info.hpp"
#include "topology/routes/route_check.hpp"

using namespace muster;
using namespace muster::topology;

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

    const Routes routes = routes_for(graph);
    CHECK_FALSE(delivery_fault(graph, routes));
    CHECK_FALSE(up_down_fault(graph, routes));
    const TopologyInfo info = describe_topology(graph, routes);
    CHECK(info.deadlock_free);
    CHECK(info.diameter <= 3);  // a link of the group, one between groups, one of the other group
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
