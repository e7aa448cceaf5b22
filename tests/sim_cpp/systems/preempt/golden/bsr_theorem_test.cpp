// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <stdexcept>

#include "muster/topology/generate.hpp"
#include "sim_cpp/systems/btin/tree/random_network.hpp"
#include "sim_cpp/systems/preempt/golden/bsr_network.hpp"
#include "support/seed.hpp"

/// Theorem 1 of the paper: the first barrier's messages find the BSR tree, whatever their order.

using namespace muster;
using namespace muster::topology;
using preempt::Bnt;
using preempt::BsrMessage;
using preempt::BsrTree;
using preempt::BsrType;

namespace {

Graph any_network(Rng& rng) {
  const auto side = [&] { return static_cast<std::uint32_t>(1 + rng.below(7)); };
  if (rng.below(4) == 0) return generate_mesh(side(), side(), rng.below(3) == 0 ? 2 : 1);
  return random_network(rng);
}

BsrTree any_tree(const Graph& graph, const Routes& routes, Rng& rng) {
  const std::vector<NodeId> members = random_group(graph, rng);
  return preempt::build_bsr_tree(graph, routes, members, members[rng.below(members.size())]);
}

struct Outcome {
  int wrong = 0, trials = 0;
};

/// Trials with a fault, of which those count as wrong whose tables differ, or that released
/// a member early or never.
Outcome with_faults(const BsrNetwork::Faults& faults, Rng& rng) {
  Outcome outcome;
  for (; outcome.trials < 300; ++outcome.trials) {
    const Graph graph = generate_mesh(6, 6);
    const Routes routes = routes_for(graph);
    BsrNetwork net(graph, routes, 1, rng, faults);
    net.create(any_tree(graph, routes, rng), 7, 1);
    bool wrong = false;
    try {
      net.run();
      wrong = net.group(7).released[0] != net.group(7).tree.members.size() ||
              net.difference(net.group(7)) != "";
    } catch (const std::runtime_error&) {
      wrong = true;
    }
    outcome.wrong += wrong;
  }
  return outcome;
}

}  // namespace

TEST_CASE("after the first barrier the tables are the tree of the routes", "[golden][bsr]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (int trial = 0; trial < 5000; ++trial) {
    CAPTURE(trial);
    const Graph graph = any_network(rng);
    const Routes routes = routes_for(graph);
    const std::uint32_t groups = trial % 2 + 1;  // one, or two at once
    BsrNetwork net(graph, routes, groups, rng);
    for (std::uint32_t g = 0; g < groups; ++g)
      REQUIRE(net.create(any_tree(graph, routes, rng), 200 + g, 1));
    net.run();
    for (std::uint32_t g = 0; g < groups; ++g) {
      const BsrNetwork::Group& group = net.group(200 + g);
      REQUIRE(net.difference(group) == "");
      REQUIRE(group.released[0] == group.tree.members.size());
      REQUIRE_FALSE(group.refused);
    }
    REQUIRE(net.drops() == 0);
  }
}

TEST_CASE("barriers after the first go from BSR node to BSR node by any legal way",
          "[golden][bsr]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (int trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    const Graph graph = any_network(rng);
    const Routes routes = routes_for(graph);
    BsrNetwork net(graph, routes, 3, rng);
    const auto barriers = static_cast<std::uint32_t>(2 + rng.below(9));
    for (std::uint32_t gid = 0; gid < 3; ++gid)
      REQUIRE(net.create(any_tree(graph, routes, rng), gid, barriers));
    net.run();
    for (std::uint32_t gid = 0; gid < 3; ++gid) {
      const BsrNetwork::Group& group = net.group(gid);
      REQUIRE(net.difference(group) == "");
      for (std::uint32_t b = 0; b < barriers; ++b)
        REQUIRE(group.released[b] == group.tree.members.size());
    }
    REQUIRE(net.drops() == 0);
  }
}

TEST_CASE("a full table refuses a group and touches no other", "[golden][bsr]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  int refused = 0, made = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    CAPTURE(trial);
    const Graph graph = any_network(rng);
    const Routes routes = routes_for(graph);
    BsrNetwork net(graph, routes, static_cast<std::uint32_t>(1 + rng.below(2)), rng);
    std::vector<std::uint32_t> gids;
    for (std::uint32_t gid = 0; gid < 4; ++gid)
      if (net.create(any_tree(graph, routes, rng), gid, 1)) gids.push_back(gid);
    net.run();
    std::vector<std::uint32_t> again;
    for (const std::uint32_t gid : gids) {
      const BsrNetwork::Group& group = net.group(gid);
      if (group.refused) {
        CHECK(group.released[0] == 0);
        again.push_back(gid);
        net.remove(gid);
      }
    }
    for (const std::uint32_t gid : gids) {
      const BsrNetwork::Group& group = net.group(gid);
      if (group.refused) continue;
      REQUIRE(net.difference(group) == "");
      REQUIRE(group.released[0] == group.tree.members.size());
      net.remove(gid);
      ++made;
    }
    // What was refused leaves no trace: alone, it is made.
    refused += static_cast<int>(again.size());
    for (const std::uint32_t gid : again) {
      const BsrTree tree = net.group(gid).tree;
      REQUIRE(net.create(tree, gid, 2));
      net.run();
      REQUIRE(net.difference(net.group(gid)) == "");
      REQUIRE(net.group(gid).released[1] == tree.members.size());
      net.remove(gid);
    }
  }
  CHECK(refused > 50);
  CHECK(made > 1000);
}

TEST_CASE("without the order of a channel the theorem fails", "[golden][bsr]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  BsrNetwork::Faults faults{false, {}};
  CHECK(with_faults(faults, rng).wrong == 0);
  faults.overtaking = true;
  const Outcome outcome = with_faults(faults, rng);
  CHECK(outcome.wrong * 100 > 7 * outcome.trials);
}

TEST_CASE("without any one of the rules the theorem fails", "[golden][bsr]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  const auto wrong = [&](Bnt from, Bnt to) {
    BsrNetwork::Faults faults{false, {}};
    faults.spoil = [&](BsrMessage& m) {
      if (m.type == BsrType::kFirst && m.bnt == from) m.bnt = to;
    };
    return with_faults(faults, rng).wrong;
  };
  CHECK(wrong(Bnt::kSource, Bnt::kNothing) > 200);  // no source is recorded
  CHECK(wrong(Bnt::kNewNode, Bnt::kNothing) > 50);  // rule 2: a branch stays unknown above
  CHECK(wrong(Bnt::kNewNode, Bnt::kSource) > 50);   // rule 2 taken for rule 1
  CHECK(wrong(Bnt::kNothing, Bnt::kSource) > 50);   // rule 3: the child is overwritten
  CHECK(wrong(Bnt::kFree, Bnt::kNothing) > 50);     // intermediate entries stay
}

TEST_CASE("initialization with very many members and barriers", "[golden][bsr][soak]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (int trial = 0; trial < 40; ++trial) {
    IrregularSpec spec{.switches = 300, .nodes = 600, .ports = 6};
    spec.seed = rng.next();
    const Graph graph = generate_irregular(spec);
    const Routes routes = routes_for(graph);
    BsrNetwork net(graph, routes, 2, rng);
    for (std::uint32_t gid = 0; gid < 2; ++gid) net.create(any_tree(graph, routes, rng), gid, 3);
    net.run();
    for (std::uint32_t gid = 0; gid < 2; ++gid) REQUIRE(net.difference(net.group(gid)) == "");
  }
}
