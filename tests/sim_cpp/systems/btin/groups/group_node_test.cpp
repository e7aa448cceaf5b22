// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/group_node.hpp"

#include <bit>

#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/systems/btin/groups/group_network.hpp"
#include "sim_cpp/systems/btin/groups/random_changes.hpp"
#include "systems/btin/groups/member_group.hpp"

namespace muster::btin {
namespace {

TEST_CASE("in Figure 1 the root node asks a node of switch 1 to set it up", "[groups]") {
  const topology::Graph graph = figure1();
  const auto routes = topology::routes_for(graph);
  const fabric::HomeNodes homes = fabric::plan_home_nodes(graph, routes);
  const std::vector<NodeId> members = paper_group(graph);
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
  for_random_groups(78'000, 100, [](const topology::Graph& graph, auto members, Rng& rng) {
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
  for_random_groups(79'000, 50, [&](const topology::Graph& graph, const auto&, Rng&) {
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

}  // namespace

}  // namespace muster::btin

namespace muster::run {

// docs/systems/lost-messages.md
namespace {

using btin::GroupMessage;
using btin::Kind;

TEST_CASE("messages between two nodes come once and in order, whatever is lost",
          "[groups][loss][random]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    CAPTURE(seed, trial);
    Rng rng(seed + 5, trial);
    const double loss = 0.6 * rng.uniform();
    std::vector<GroupMessage> wires[2];  // to node 0, to node 1
    std::vector<std::uint32_t> taken[2];
    const auto to = [&](std::uint32_t end) {
      return [&, end](std::vector<core::Flit> flits) {
        if (rng.uniform() >= loss) wires[end].push_back(btin::decode(flits));
      };
    };
    btin::PeerChannels ends[2] = {btin::PeerChannels(to(1)), btin::PeerChannels(to(0))};
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
    CHECK(ends[0].idle());
  }
}

TEST_CASE("groups are created, moved, changed and released though packets of theirs are lost",
          "[groups][loss][random]") {
  const std::uint64_t seed = muster_seed();
  std::uint64_t lost = 0, repeated = 0;
  std::size_t moves = 0, changes = 0;
  for (std::uint64_t index = 0; index < 8; ++index) {
    test::RandomRun run(seed + 95, index, 12);
    Rng rng(seed, 2300 + index);
    run.spec.load_flits *= 0.3;
    own<btin::Spec>(run.spec).in_band = true;
    own<btin::Spec>(run.spec).setup_drop = 0.25 * rng.uniform();
    if (index % 2 == 0) run.spill(static_cast<std::uint32_t>(3 + rng.below(8)), seed + index);
    run.spec.barriers = 12;
    run.spec.arrivals = std::make_shared<test::PhasedArrivals>(
        test::random_phases(rng, run.spec.groups.size(), run.spec.barriers, 6000));
    if (index % 2 == 0) own<btin::Spec>(run.spec).evict_after = 200 + rng.below(1000);
    if (index % 4 > 1) test::add_random_changes(run.spec, rng, 1);
    CAPTURE(seed, index, run.text(), own<btin::Spec>(run.spec).setup_drop);
    const RunResult result = test::passes(run.spec);
    const auto own = run::own<btin::Result>(result);
    lost += own.lost_packets;
    repeated += own.repeated_messages;
    moves += own.moves.size();
    changes += own.changes.size();
  }
  CAPTURE(seed);
  CHECK(lost > 500);
  CHECK(repeated > 500);
  CHECK(moves > 3);
  CHECK(changes > 3);
}

TEST_CASE("nothing is numbered, repeated or lost without the option", "[groups][loss]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"});
  own<btin::Spec>(spec).in_band = true;
  const auto without = own<btin::Result>(run_barriers(spec));
  CHECK(without.repeated_messages == 0);
  CHECK(without.lost_packets == 0);
  own<btin::Spec>(spec).setup_drop = 0.1;
  const auto with = own<btin::Result>(run_barriers(spec));
  CHECK(with.lost_packets > 0);
  CHECK(with.times[0].creation_cycles > without.times[0].creation_cycles);
}

}  // namespace

}  // namespace muster::run
