// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/bsr_ways.hpp"

#include <catch2/catch.hpp>

#include "muster/topology/generate.hpp"
#include "sim_cpp/systems/btin/tree/random_network.hpp"
#include "sim_cpp/systems/preempt/links/link_runs.hpp"
#include "support/seed.hpp"
#include "systems/preempt/links/routes_left.hpp"
#include "topology/routes/dependency.hpp"
#include "topology/routes/route_check.hpp"

namespace muster::preempt {
namespace {

using topology::Graph;
using topology::Link;
using topology::Routes;
using topology::SwitchId;

/// Messages between two BSR nodes may go by the link: the ways are walked one by one, apart from
/// what is tested.
bool may_use(const Graph& graph, const Routes& routes, SwitchId from, SwitchId to,
             const Link& link) {
  if (from == to) return false;
  for (std::uint32_t p = 0; p < graph.ports(from); ++p) {
    if ((routes.mask(from, graph.nodes() + to) >> p & 1) == 0) continue;
    const topology::PortRef port{from, p};
    if (port == link.a || port == link.b) return true;
    if (may_use(graph, routes, graph.peer(from, p).id, to, link)) return true;
  }
  return false;
}

bool may_use(const Graph& graph, const Routes& routes, const BsrTree& tree, const Link& link) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const auto& parent = tree.switches[s].parent;
    if (parent &&
        (may_use(graph, routes, s, *parent, link) || may_use(graph, routes, *parent, s, link)))
      return true;
  }
  return false;
}

/// First messages go by the link.
bool finds_by(const Graph& graph, const Routes& routes, const BsrTree& tree, const Link& link) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!tree.switches[s].in_tree) continue;
    const topology::PortRef port{s, routes.next_port(s, graph.nodes() + tree.center_switch)};
    if (port == link.a || port == link.b) return true;
  }
  return false;
}

TEST_CASE("with the levels of before the ways of a group change exactly if they led over the link",
          "[preempt][links][random]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed, 71);
  int used = 0, untouched = 0, first = 0, none = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Graph graph = random_network(rng);
    if (graph.links().empty()) continue;
    const Routes before = topology::up_down_routes(graph);
    const auto link = test::spare_link(graph, rng.below(graph.links().size()));
    if (!link) continue;
    const Graph rest = topology::without_link(graph, link->a, link->b);
    const auto levels = topology::up_down_levels(graph);
    auto kept = levels;
    const Routes next = routes_left(rest, before, kept);
    REQUIRE_FALSE(topology::delivery_fault(rest, next));
    REQUIRE(topology::DependencyGraph(rest, next).deadlock_free());
    if (kept != levels) {
      ++none;
      continue;
    }
    const BsrWays ways(graph, before, next);
    for (int g = 0; g < 4; ++g) {
      const auto members = random_group(graph, rng);
      const BsrTree tree = build_bsr_tree(graph, before, members, members[0]);
      const bool uses = may_use(graph, before, tree, *link);
      CHECK(ways.later_differ(tree) == uses);
      const bool finds = finds_by(graph, before, tree, *link);
      if (finds) CHECK(ways.first_differ(tree));
      used += uses;
      untouched += !uses;
      first += finds;
    }
  }
  CHECK(used > 50);
  CHECK(untouched > 50);
  CHECK(first > 20);
  CHECK(none > 5);
}

TEST_CASE("equal routes part nowhere, X-Y and up*/down* part on a mesh", "[preempt][links]") {
  const Graph mesh = topology::generate_mesh(4, 4);
  const Routes xy = topology::xy_routes(mesh), up = topology::up_down_routes(mesh);
  const std::vector<topology::NodeId> corners{0, 15};
  const BsrTree tree = build_bsr_tree(mesh, xy, corners, 0);
  CHECK_FALSE(BsrWays(mesh, xy, xy).first_differ(tree));
  CHECK_FALSE(BsrWays(mesh, xy, xy).later_differ(tree));
  CHECK(BsrWays(mesh, xy, up).later_differ(tree));
  const BsrTree alone = build_bsr_tree(mesh, xy, std::vector<topology::NodeId>{5}, 5);
  CHECK_FALSE(BsrWays(mesh, xy, up).first_differ(alone));
  CHECK_FALSE(BsrWays(mesh, xy, up).later_differ(alone));
}

}  // namespace
}  // namespace muster::preempt
