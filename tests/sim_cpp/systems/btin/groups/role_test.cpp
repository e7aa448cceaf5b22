// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/role.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "muster/topology/load_file.hpp"
#include "sim_cpp/systems/btin/tree/random_network.hpp"
#include "support/seed.hpp"

namespace muster::btin {
namespace {

TEST_CASE("in Figure 1 the root node asks a node of switch 1 to set it up", "[groups]") {
  const auto graph = topology::read_topology(MUSTER_SOURCE_DIR "/topologies/figure1.json");
  const auto routes = topology::routes_for(graph);
  const fabric::HomeNodes homes = fabric::plan_home_nodes(graph, routes);
  std::vector<NodeId> members = graph.groups.at("paper");
  std::sort(members.begin(), members.end());
  const NodeId root = graph.node_at({3, 4}).value();
  const Role role = plan_role(graph, homes, members, 5, {}, root);
  CHECK(role.representative);
  CHECK_FALSE(role.parent);
  REQUIRE(role.asked.size() == 1);
  CHECK(role.asked[0].image.sw == 1);
  CHECK(role.asked[0].home_node == homes.node[1]);
  CHECK(graph.node(homes.node[1]).at.sw == 1);
  CHECK(role.children.size() == 5);
  CHECK(role.locals == std::vector<NodeId>{graph.node_at({3, 6}).value()});
}

TEST_CASE("all members plan the same tree, and every switch of it has exactly one keeper",
          "[groups][random]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 78);
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(seed, trial);
    const topology::Graph graph = random_network(rng);
    const topology::Routes routes = topology::routes_for(graph);
    const fabric::HomeNodes homes = fabric::plan_home_nodes(graph, routes);
    std::vector<NodeId> members = random_group(graph, rng);
    std::sort(members.begin(), members.end());
    const bool reflect = rng.below(2) == 0;
    const auto images = btin::register_images(btin::plan_tree(graph, members), 7, reflect);

    std::multiset<SwitchId> seen_to;
    std::set<std::uint32_t> digests;
    std::map<NodeId, std::uint32_t> parents;  // of a node, how often it is a child
    std::uint32_t roots = 0;
    for (const NodeId n : members) {
      const Role role = plan_role(graph, homes, members, 7, {reflect}, n);
      digests.insert(role.digest);
      roots += !role.parent;
      if (role.own) {
        seen_to.insert(role.own->sw);
        CHECK(graph.node(n).at.sw == role.own->sw);
      }
      for (const AskedSwitch& asked : role.asked) seen_to.insert(asked.image.sw);
      for (const NodeId child : role.children) ++parents[child];
      for (const NodeId local : role.locals) ++parents[local];
    }
    CHECK(digests.size() == 1);
    CHECK(roots == 1);
    CHECK(parents.size() == members.size() - 1);
    for (const auto& [node, times] : parents) CHECK(times == 1);
    CHECK(seen_to.size() == images.size());
    for (const auto& image : images) CHECK(seen_to.count(image.sw) == 1);
  }
}

TEST_CASE("a switch without nodes has the nearest one's and a permit where its packets come in",
          "[groups][random]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 79);
  std::uint32_t bare = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const topology::Graph graph = random_network(rng);
    const fabric::HomeNodes homes = fabric::plan_home_nodes(graph, topology::routes_for(graph));
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      std::uint16_t nodes = 0;
      for (std::uint32_t p = 0; p < graph.ports(s); ++p)
        if (graph.peer(s, p).kind == topology::Peer::Kind::kNode)
          nodes |= static_cast<std::uint16_t>(1u << p);
      if (nodes != 0) {
        CHECK(homes.permits[s] == nodes);
        CHECK(graph.node(homes.node[s]).at ==
              topology::PortRef{s, static_cast<std::uint32_t>(std::countr_zero(nodes))});
      } else {
        ++bare;
        CHECK(std::popcount(homes.permits[s]) == 1);
        const auto port = static_cast<std::uint32_t>(std::countr_zero(homes.permits[s]));
        CHECK(graph.peer(s, port).kind == topology::Peer::Kind::kSwitch);
        const auto level = topology::bfs_levels(graph, s);
        std::pair<std::uint32_t, SwitchId> nearest{topology::kUnreachable, 0};
        for (const topology::Node& node : graph.node_list())
          nearest = std::min(nearest, std::pair{level[node.at.sw], node.at.sw});
        CHECK(graph.node(homes.node[s]).at.sw == nearest.second);
      }
    }
  }
  CHECK(bare > 10);
}

}  // namespace
}  // namespace muster::btin
