// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "muster/topology/generate.hpp"
#include "mutants.hpp"
#include "sim_cpp/fabric/checkers/checked_network.hpp"
#include "support/seed.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"

namespace muster::checkers {
namespace {

constexpr int kTrials = 12;  // of each mutant

std::vector<btin::PlannedGroup> two_groups(const topology::Graph& graph) {
  std::vector<topology::NodeId> all, odd;
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
    all.push_back(n);
    if (n % 2) odd.push_back(n);
  }
  return {{"all", 5, false, btin::plan_tree(graph, all)},
          {"odd", 9, true, btin::plan_tree(graph, odd)}};
}

RunSpec spec_of(std::uint64_t trial, std::uint64_t seed) {
  RunSpec spec;
  spec.config.vcs = 2 + trial % 2;
  spec.config.depth = 2 + trial % 3;
  spec.barriers = spec.packets = 20;
  spec.packet_gap = 60;
  spec.bounds = {3000, 1500};
  spec.seed = seed + trial;
  return spec;
}

/// The checker named in a report, or the report if none is.
std::string checker_of(const std::string& report, const CheckerList& checkers) {
  for (const auto& total : checkers.totals())
    if (report.find(std::string("checker ") + total.name + ":") != std::string::npos)
      return total.name;
  return report;
}

TEST_CASE("every mutant is caught by a checker that is meant for it", "[checkers][mutation]") {
  const std::uint64_t seed = muster_seed();
  const auto index = GENERATE(range(std::size_t{0}, mutants().size()));
  const Mutant& mutant = mutants()[index];
  CAPTURE(seed, mutant.name);
  const topology::Graph graph = topology::generate_irregular(
      {.switches = 7, .nodes = 18, .ports = 6, .connectivity = 0.85, .seed = seed});
  std::map<std::string, int> caught;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    CAPTURE(trial);
    const RunSpec spec = spec_of(trial, seed);
    Rng rng(seed, 100 * index + trial);
    const auto skip = static_cast<std::uint32_t>(rng.below(60));
    Strike strike{graph, {spec.config.flit_w, spec.config.gid_w}, spec.config.vcs, {5, 9}, skip,
                  rng};
    CheckedNetwork network(
        graph, two_groups(graph), spec,
        [&](std::uint64_t cycle, MutantBank& outputs) { mutant.act(strike, cycle, outputs); });
    std::string report = "survived";
    try {
      network.run();
    } catch (const InternalError& error) {
      report = error.what();
    }
    CAPTURE(report);
    REQUIRE(strike.struck);
    const std::string checker = checker_of(report, network.checkers());
    CHECK(std::count(mutant.caught_by.begin(), mutant.caught_by.end(), checker) == 1);
    ++caught[checker];
  }
  CAPTURE(caught);
  CHECK(caught[mutant.caught_by.front()] > 0);
}

TEST_CASE("the network of the mutants passes without a mutation", "[checkers][mutation]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const topology::Graph graph = topology::generate_irregular(
      {.switches = 7, .nodes = 18, .ports = 6, .connectivity = 0.85, .seed = seed});
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    CAPTURE(trial);
    CheckedNetwork network(graph, two_groups(graph), spec_of(trial, seed),
                           [](std::uint64_t, MutantBank&) {});
    CHECK(network.run());
    CHECK(network.delivered() == 18 * 20);
    CHECK(network.checkers().find<BarrierSafety>()->completed() == 2 * 20);
  }
}

}  // namespace
}  // namespace muster::checkers
