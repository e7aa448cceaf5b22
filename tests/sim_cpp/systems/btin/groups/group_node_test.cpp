// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/group_node.hpp"

#include <bit>

#include "sim_cpp/systems/btin/groups/group_network.hpp"
#include "systems/btin/groups/member_group.hpp"

namespace muster::btin {
namespace {

TEST_CASE("all members plan the same tree, and every switch of it has exactly one keeper",
          "[groups][random]") {
  for_random_groups(78'000, 100, [](const topology::Graph& graph, auto members, Random& rng) {
    const fabric::HomeNodes homes = fabric::plan_home_nodes(graph, topology::routes_for(graph));
    std::sort(members.begin(), members.end());
    const bool reflect = rng.below(2) == 0;
    const auto images = register_images(plan_tree(graph, members), 7, reflect);

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
  });
}

TEST_CASE("a switch without nodes has the nearest one's and a permit where its packets come in",
          "[groups][random]") {
  std::uint32_t bare = 0;
  for_random_groups(79'000, 50, [&](const topology::Graph& graph, const auto&, Random&) {
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
  });
  CHECK(bare > 10);
}

// docs/reliability.md

TEST_CASE("messages between two nodes come once and in order, whatever is lost",
          "[groups][loss][random]") {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    Random rng(muster_seed() + 5, trial);
    const double loss = 0.6 * rng.uniform();
    std::vector<GroupMessage> wires[2];  // to node 0, to node 1
    std::vector<std::uint32_t> taken[2];
    const auto to = [&](std::uint32_t end) {
      return [&, end](std::vector<core::Flit> flits) {
        if (rng.uniform() >= loss) wires[end].push_back(decode(flits));
      };
    };
    PeerChannels ends[2] = {PeerChannels(to(1)), PeerChannels(to(0))};
    for (std::uint32_t i = 0; i < 50; ++i)
      for (const std::uint32_t e : {0u, 1u})
        ends[e].send({Kind::kReport, 3, e, 1 - e, {i, 1000 + e}});
    for (std::uint64_t cycle = 0; cycle < 10'000'000 && !(ends[0].done() && ends[1].done());
         cycle += 50) {
      for (const std::uint32_t e : {0u, 1u}) {
        const std::vector<GroupMessage> come = std::exchange(wires[e], {});
        for (GroupMessage m : come) {
          if (!ends[e].receive(m)) continue;
          REQUIRE(m.words.size() == 2);
          REQUIRE(m.words[1] == 1000 + (1 - e));
          taken[e].push_back(m.words[0]);
        }
        ends[e].clock(cycle);
      }
    }
    for (const std::uint32_t e : {0u, 1u}) {
      REQUIRE(taken[e].size() == 50);
      for (std::uint32_t i = 0; i < 50; ++i) CHECK(taken[e][i] == i);
    }
  }
}

}  // namespace

}  // namespace muster::btin
