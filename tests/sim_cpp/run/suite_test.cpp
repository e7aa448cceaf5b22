// SPDX-License-Identifier: Apache-2.0
#include "run/suite.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/checked_network.hpp"
#include "sim_cpp/systems/btin/tree/random_network.hpp"
#include "support/seed.hpp"

namespace muster::checkers {
namespace {

TEST_CASE("no checker objects to random networks of golden switches", "[checkers][suite]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    Rng rng(seed, trial);
    const topology::Graph graph = random_network(rng);
    RunSpec spec;
    spec.seed = rng.next();
    spec.config.ports = std::max(3u, graph.max_ports());
    spec.config.vcs = static_cast<std::uint32_t>(1 + rng.below(4));
    spec.config.depth = static_cast<std::uint32_t>(1 + rng.below(6));
    spec.config.flit_w = static_cast<std::uint32_t>(16 + rng.below(65));
    spec.own = spec.config.vcs > 1 && rng.below(2) == 1;
    spec.barrier_gap = rng.below(3) == 0 ? 0 : 200;
    spec.packet_gap = rng.below(3) == 0 ? 0 : 100;
    std::vector<btin::PlannedGroup> groups(1 + rng.below(4));
    bool barriers = false;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      const bool turn = rng.below(2) == 1;
      groups[g] = {"", g * 7, turn, btin::plan_tree(graph, random_group(graph, rng))};
      barriers |= !groups[g].tree.alone();
    }
    CheckedNetwork network(graph, groups, spec);
    REQUIRE(network.run());
    CHECK(network.delivered() == graph.nodes() * spec.packets);
    CHECK(network.suite().delivery().delivered() == network.delivered());
    for (const auto& total : network.suite().totals()) {
      CAPTURE(total.name);
      // There are no such groups, no worms and no spill ports, nobody asks a switch, none preempts.
      const bool idle = total.name == std::string("barrier bound") ||
                        total.name == std::string("bsr messages") ||
                        total.name == std::string("nic barriers") ||
                        total.name == std::string("packet barriers") ||
                        total.name == std::string("packet trees") ||
                        total.name == std::string("register packets") ||
                        total.name == std::string("worms") || total.name == std::string("spill");
      if (idle)
        CHECK(total.checks == 0);
      else
        CHECK((total.checks > 0 || !barriers));
    }
    std::uint64_t expected = 0;
    for (const auto& group : groups) expected += group.tree.alone() ? 0 : spec.barriers;
    CHECK(network.suite().barriers().completed() == expected);
  }
}

}  // namespace
}  // namespace muster::checkers
