// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/bsr_tree.hpp"

#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "sim_cpp/systems/btin/tree/networks.hpp"

using namespace muster;
using namespace muster::topology;
using preempt::BsrChild;
using preempt::build_bsr_tree;
using topology::CenterChoice;
using topology::choose_center;

namespace {

/// The switches from `s` to `center` by the deterministic routes, both included, each with the port
/// by which the way comes into it (of the first: none).
std::vector<std::pair<SwitchId, std::uint32_t>> way(const Graph& graph, const Routes& routes,
                                                    SwitchId s, SwitchId center) {
  std::vector<std::pair<SwitchId, std::uint32_t>> result{{s, kMaxPorts}};
  while (s != center) {
    const Peer& next = graph.peer(s, routes.next_port(s, graph.nodes() + center));
    s = next.id;
    result.push_back({s, next.port});
  }
  return result;
}

/// Definitions 1 and 2 by sets of ways, without any order.
void check_by_definition(const Graph& graph, const Routes& routes, const preempt::BsrTree& tree) {
  std::map<SwitchId, std::set<std::uint32_t>> entered;  // ports by which ways come into a switch
  std::set<SwitchId> member_switches;
  std::size_t edges = 0, height = 0;
  for (const NodeId n : tree.members) {
    member_switches.insert(graph.node(n).at.sw);
    for (const auto& [s, port] : way(graph, routes, graph.node(n).at.sw, tree.center_switch))
      if (port != kMaxPorts)
        edges += entered[s].insert(port).second;
      else
        entered[s];
  }
  const auto is_bsr = [&](SwitchId s) {
    return member_switches.count(s) != 0 || (entered.count(s) && entered[s].size() > 1);
  };
  std::vector<std::vector<BsrChild>> children(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const preempt::BsrSwitch& at = tree.switches[s];
    CHECK(at.in_tree == (entered.count(s) != 0));
    CHECK(at.bsr_node == is_bsr(s));
    if (!is_bsr(s) || s == tree.center_switch) {
      CHECK_FALSE(at.parent);
      continue;
    }
    const auto up = way(graph, routes, s, tree.center_switch);
    CHECK(at.level == up.size() - 1);
    height = std::max(height, up.size() - 1);
    std::size_t i = 1;
    while (!is_bsr(up[i].first)) ++i;
    CHECK(at.parent == up[i].first);
    children[up[i].first].push_back({up[i].second, s});
  }
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    std::ranges::sort(children[s],
                      [](const BsrChild& a, const BsrChild& b) { return a.port < b.port; });
    CHECK(tree.switches[s].children == children[s]);
  }
  CHECK(tree.edges == edges);
  CHECK(tree.height == height);
  CHECK(tree.hops() == 2 * (edges + tree.members.size()));
}

/// Four members around the way 1-2-4-5-7-8 (the paper's Figure 3 has such a way), the center on
/// switch 8. Node n is at switch n, port 3; switch 0 links only 1.
struct Way {
  Graph graph;
  Way() {
    for (int s = 0; s < 9; ++s) graph.add_switch(4);
    std::vector<std::uint32_t> used(9, 0);
    const auto join = [&](SwitchId a, SwitchId b) {
      graph.add_link({a, used[a]++}, {b, used[b]++});
    };
    join(0, 1), join(1, 2), join(2, 4), join(3, 4), join(4, 5), join(5, 7), join(6, 7), join(7, 8);
    for (SwitchId s = 0; s < 9; ++s) graph.add_node({s, 3});
  }
};

}  // namespace

TEST_CASE("members and branches of a small tree are its BSR nodes", "[barrier][bsr]") {
  const Way net;
  const Routes routes = routes_for(net.graph);
  const preempt::BsrTree tree =
      build_bsr_tree(net.graph, routes, std::vector<NodeId>{1, 3, 6, 8}, 8);
  CHECK(tree.height == 5);
  CHECK(tree.edges == 7);
  CHECK(tree.hops() == 22);
  const std::vector<bool> bsr{false, true, false, true, true, false, true, true, true};
  for (SwitchId s = 0; s < 9; ++s) CHECK(tree.switches[s].bsr_node == bsr[s]);
  check_by_definition(net.graph, routes, tree);
}

TEST_CASE("the center is the nearest, the lowest or a random member", "[barrier][bsr]") {
  const Way net;
  const Routes routes = routes_for(net.graph);
  const std::vector<NodeId> members{8, 1, 5, 3, 7};
  const auto center = [&](CenterChoice choice, std::uint64_t seed) {
    return choose_center(net.graph, routes, members, choice, seed);
  };
  CHECK(center(topology::CenterChoice::kNearest, 1) == 5);  // 3 links from 1; 7 has 4
  CHECK(center(CenterChoice::kLowest, 1) == 1);
  std::set<NodeId> drawn;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    drawn.insert(center(CenterChoice::kRandom, seed));
  CHECK(drawn == std::set<NodeId>{1, 3, 5, 7, 8});
  CHECK(center(CenterChoice::kRandom, 7) == center(CenterChoice::kRandom, 7));
}

TEST_CASE("groups that do not exist have no tree", "[barrier][bsr]") {
  const Way net;
  const Routes routes = routes_for(net.graph);
  const auto build = [&](std::vector<NodeId> members, NodeId center) {
    build_bsr_tree(net.graph, routes, members, center);
  };
  CHECK_THROWS_WITH(build({}, 0), Contains("empty"));
  CHECK_THROWS_WITH(build({1, 9}, 1), Contains("node 9"));
  CHECK_THROWS_WITH(build({1, 2, 1}, 1), Contains("twice"));
  CHECK_THROWS_WITH(build({1, 2}, 3), Contains("node 3"));
}

TEST_CASE("random groups on random networks have the tree of the definitions", "[barrier][bsr]") {
  int trial = 0;
  for_random_groups(50'000, 400, [&](const Graph& drawn, const auto& group, Random& rng) {
    const auto size = [&] { return 1 + rng.below(6); };
    const bool mesh = trial++ % 4 == 0;
    const Graph graph = mesh ? generate_mesh(size(), size()) : drawn;
    const Routes routes = routes_for(graph);
    const std::vector<NodeId> members = mesh ? random_group(graph, rng) : group;
    const std::uint64_t seed = rng.next();
    for (const CenterChoice choice : {CenterChoice::kNearest, CenterChoice::kRandom}) {
      const NodeId center = choose_center(graph, routes, members, choice, seed);
      check_by_definition(graph, routes, build_bsr_tree(graph, routes, members, center));
    }
    // No member has a lesser maximum distance than the nearest one, and no lower one the same.
    const auto height = [&](NodeId n) { return build_bsr_tree(graph, routes, members, n).height; };
    const NodeId nearest = choose_center(graph, routes, members, CenterChoice::kNearest, seed);
    for (const NodeId n : members) {
      CHECK(height(n) >= height(nearest));
      if (n < nearest) CHECK(height(n) > height(nearest));
    }
  });
}
