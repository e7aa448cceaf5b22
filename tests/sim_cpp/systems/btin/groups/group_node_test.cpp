// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/group_node.hpp"

#include "sim_cpp/systems/btin/groups/group_network.hpp"
#include "systems/btin/groups/member_group.hpp"

namespace muster::btin {
namespace {

TEST_CASE("all members plan the same tree, and every switch of it has exactly one keeper",
          "[groups][random]") {
  for_random_groups(78'000, 100, [](const topology::Graph& graph, auto members, Random& rng) {
    const fabric::HomeNodes homes = fabric::plan_home_nodes(graph, topology::routes_for(graph));
    std::ranges::sort(members);
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

TEST_CASE("a switch without permit for its nodes refuses, and nothing is left", "[groups]") {
  GroupNetwork net(figure1_graph(), 4);
  net.network->switches().write_register(6, regs::kPermits, 0);
  net.create(5, paper_group(net.graph));
  CHECK(net.manager->group(5).verdict.reason == Outcome::kNoPermit);
  CHECK(net.manager->group(5).verdict.sw == 6);
  net.check_empty();
}

TEST_CASE("an identifier in use is refused, also to members elsewhere", "[groups]") {
  GroupNetwork net(figure1_graph(), 4);
  net.create(5, {0, 1, 2});
  const std::uint32_t used = net.used_words();
  // Another creator, whose switch has never heard of the group.
  net.create(5, {20, 22});
  CHECK(net.manager->group(5).verdict.reason == Outcome::kIdInUse);
  REQUIRE(net.drain());
  CHECK(net.used_words() == used);
}

TEST_CASE("random groups on random networks live, are refused and go without a trace",
          "[groups][random]") {
  Random rng(muster_seed(), 77);
  std::uint32_t refused = 0, alive = 0;
  for (int trial = 0; trial < 30; ++trial) {
    CAPTURE(trial);
    GroupNetwork net(random_network(rng), 1 + rng.below(3));
    constexpr std::uint32_t kGroups = 5;
    for (std::uint32_t gid = 0; gid < kGroups; ++gid) {
      const std::vector<NodeId> members = sorted_group(net.graph, rng);
      net.manager->create(net.now(), gid, members, {rng.below(2) == 0});
      net.run(rng.below(200));
    }
    REQUIRE(net.settle());
    for (std::uint32_t gid = 0; gid < kGroups; ++gid) {
      if (!net.alive(gid)) {
        CHECK(net.manager->group(gid).verdict.reason == Outcome::kNoRegister);
        ++refused;
        continue;
      }
      ++alive;
      net.manager->release(net.now(), gid);
    }
    REQUIRE(net.settle());
    net.check_empty();
    for (SwitchId s = 0; s < net.graph.switches(); ++s) {
      CHECK(net.read(s, regs::kDrops) == 0);
      CHECK(regs::kAgentDropsWhat.of(net.read(s, regs::kAgentDrops)) == 0);  // busy may be
    }
  }
  CHECK(refused > 10);
  CHECK(alive > 10);
}

TEST_CASE("a register write from any node of another switch changes nothing and is counted",
          "[groups][isolation]") {
  GroupNetwork net(figure1_graph(), 4, false);
  net.create(5, paper_group(net.graph));
  REQUIRE(net.drain());
  const auto state = [&](SwitchId s) {
    std::vector<std::uint32_t> words{net.read(s, regs::kHold), net.read(s, regs::kPermits)};
    for (std::uint32_t address = 0x100; address < 0x140; ++address)
      words.push_back(net.read(s, address));
    return words;
  };
  for (NodeId n = 0; n < net.graph.nodes(); ++n)
    for (SwitchId s = 0; s < net.graph.switches(); ++s) {
      if (net.graph.node(n).at.sw == s) continue;
      const auto before = state(s);
      fabric::RegisterAccess access{.destination = net.graph.nodes() + s,
                                    .source = n,
                                    .write = true,
                                    .address = regs::control(0)};
      access.old = net.read(s, access.address);
      net.network->endpoints().send_packet(n, fabric::register_request(access, 0));
      net.run(400);
      REQUIRE(net.drain());
      CHECK(state(s) == before);
    }
  for (SwitchId s = 0; s < net.graph.switches(); ++s) {
    const std::uint32_t drops = net.read(s, regs::kAgentDrops);
    CHECK(regs::kDropsCount.of(drops) > 0);
    CHECK(regs::kAgentDropsWhat.of(drops) ==
          2);  // the first was refused, and came from another switch
    CHECK(net.graph.peer(s, regs::kDropsPort.of(drops)).kind != topology::Peer::Kind::kNode);
  }
}

}  // namespace
}  // namespace muster::btin
