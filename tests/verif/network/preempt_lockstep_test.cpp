// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <span>

#include "fabric/configurations.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/preempt.hpp"
#include "muster/topology/generate.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/systems/preempt/link_runs.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"

/// Networks of preempting switches: trees that build themselves, barriers that cut data.

using namespace muster;

namespace {

struct Case {
  const char* scheme;
  const char* config;
  bool cuts = true;  ///< else at half of saturation some channel is nearly always free
};

/// Runs it with all checkers; data at `load` of saturation, members work up to `spread` cycles.
run::RunResult run_case(const test::Subject& subject, const Case& c,
                        const std::vector<std::string>& groups, std::uint32_t barriers,
                        std::uint64_t seed, double load = 0.5, std::uint64_t spread = 100,
                        const std::vector<std::string>& engines = {"lockstep"}) {
  CAPTURE(c.scheme, c.config, seed);
  run::RunSpec spec = subject.spec(groups, seed);
  spec.scheme = c.scheme;
  spec.config = run::configuration(c.config);
  spec.load_flits = load * subject.route_bound();
  spec.packet_length = 32;
  spec.barriers = barriers;
  spec.spread = spread;
  return test::on_engines(spec, engines, [&](const run::RunResult& result) {
    REQUIRE(result.barriers.size() == barriers * groups.size());
    const auto* const cost = run::find_own<preempt::Cost>(result);
    REQUIRE(cost);
    if (c.cuts) CHECK(cost->preemptions > barriers);
    if (cost->hop_wait_bound) CHECK(cost->longest_hop_wait <= *cost->hop_wait_bound);
  });
}

constexpr Case kSmall[] = {{"bsr-1", "bsr1k4"}, {"bsr-2", "bsr2k4"}, {"bsr-3", "bsr3k4"}};
constexpr Case kAll[] = {{"bsr-1", "bsr1k8"},          {"bsr-2", "bsr2k8"},
                         {"bsr-3", "bsr3k8"},          {"bsr-1", "bsr1k8v3", false},
                         {"bsr-2", "bsr2k8v3", false}, {"bsr-3", "bsr3k8v3", false}};
/// Those with two channels.
constexpr auto kLarge = std::span(kAll).first<3>();

/// The three-channel switches for a load at which they cut.
constexpr Case kFull[] = {{"bsr-1", "bsr1k8v3"}, {"bsr-2", "bsr2k8v3"}, {"bsr-3", "bsr3k8v3"}};

test::Subject small_network(std::uint64_t seed) {
  return test::Subject(topology::generate_irregular(
      {.switches = 12, .nodes = 20, .ports = 4, .connectivity = 0.9, .seed = seed}));
}
/// 4 or 8 switches of at most 8 ports, with 4 nodes each.
test::Subject dense_network(std::uint64_t seed) {
  const std::uint32_t switches = seed % 2 == 0 ? 4 : 8;
  return test::Subject(topology::generate_irregular({.switches = switches,
                                                     .nodes = 4 * switches,
                                                     .ports = 8,
                                                     .connectivity = 0.75,
                                                     .seed = seed}));
}
/// 75 switches with at most 8 ports.
test::Subject large_network(std::uint32_t nodes, std::uint64_t seed) {
  return test::Subject(topology::generate_irregular(
      {.switches = 75, .nodes = nodes, .ports = 8, .connectivity = 0.75, .seed = seed}));
}

}  // namespace

TEST_CASE("barriers that cut data on small networks agree with golden",
          "[network][lockstep][preempt]") {
  const std::uint64_t seed = muster_seed();
  const test::Subject subject = small_network(seed);
  for (const Case& c : kSmall) run_case(subject, c, {"all", "random:7"}, 30, seed);
}

TEST_CASE("preempting switches have the same digest on golden and RTL, skipping or not",
          "[network][digest][preempt]") {
  const std::uint64_t seed = muster_seed();
  const test::Subject subject = small_network(seed + 1);
  for (const Case& c : kSmall)
    run_case(subject, c, {"random:12"}, 20, seed, 0.5, 100, {"golden", "rtl", "rtl*"});
}

TEST_CASE("300 nodes with data at half of saturation agree with golden",
          "[network][lockstep][preempt]") {
  const std::uint64_t seed = muster_seed();
  const test::Subject subject = large_network(300, seed);
  for (const Case& c : kLarge) run_case(subject, c, {"random:64"}, 10, seed);
}

TEST_CASE("with three channels, nearly full of data, all three switches cut and agree with golden",
          "[network][lockstep][preempt]") {
  const std::uint64_t seed = muster_seed();
  const test::Subject subject = large_network(150, seed);
  // run_case() wants more cuts than barriers.
  for (const Case& c : kFull) run_case(subject, c, {"random:64"}, 15, seed, 0.9);
}

TEST_CASE("300 nodes and three groups agree with golden for 100 barriers",
          "[network][lockstep][preempt][soak]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 3; ++i) {
    const test::Subject subject = large_network(300, seed + i);
    for (const Case& c : kAll)
      run_case(subject, c, {"random:64", "random:16", "all"}, 100, seed + i);
  }
}

TEST_CASE("a million channels are cut on networks in lockstep with golden",
          "[network][lockstep][preempt][soak]") {
  // Small networks nearly full of data, in which all nodes are in four groups that pass one barrier
  // after the other: the most cuts in a simulated cycle. Each switch has its share of them.
  constexpr std::uint64_t kWanted = 1'000'000, kShare = kWanted / std::size(kAll) + 1;
  const std::vector<std::string> groups(4, "all");
  std::uint64_t total = 0;
  for (const Case& c : kAll) {
    std::uint64_t cuts = 0, switch_cycles = 0;
    for (std::uint64_t seed = muster_seed(); cuts < kShare; ++seed) {
      const test::Subject subject = dense_network(seed);
      const run::RunResult result = run_case(subject, c, groups, 200, seed, 0.9, 0);
      const std::uint64_t before = cuts;
      cuts += run::find_own<preempt::Cost>(result)->preemptions;
      switch_cycles += result.switch_cycles;
      REQUIRE(cuts > before);
    }
    total += cuts;
    WARN(c.config << ": " << cuts << " cuts in " << switch_cycles << " switch-cycles");
  }
  CHECK(total >= kWanted);
}

/// Links that die on networks of preempting switches: golden, RTL and both together.

TEST_CASE("links die on random networks of preempting switches, the same on golden and RTL",
          "[network][lockstep][preempt][links]") {
  const std::uint64_t seed = muster_seed();
  std::size_t changed = 0, written = 0, held = 0;
  for (std::uint64_t index = 0; index < 18; ++index) {
    test::RandomLinks random(seed + 7, index, 12);
    CAPTURE(seed, index, random.text());
    run::RunSpec& spec = random.spec;
    spec.scheme = test::kBsrSchemes[index % 3];
    spec.config = run::configuration(std::string{"bsr"} + spec.scheme.back() + "k8");
    test::on_engines(spec, [&](const run::RunResult& result) {
      CHECK(result.barriers.size() == std::size_t{spec.barriers} * spec.groups.size());
      changed += run::own<preempt::Cost>(result).changes.size();
      for (const run::LinkResult& link : result.links) {
        CHECK(link.out > link.routed);
        written += link.entries;
        held += link.groups_held;
      }
    });
  }
  CHECK(changed > 15);
  CHECK(written > 300);
  CHECK(held > 0);
}

TEST_CASE("messages avoid a congested link and a dead one, the same on golden and RTL",
          "[network][lockstep][preempt][links]") {
  const test::Subject twins(test::twin_links());
  for (const char* scheme : test::kBsrSchemes)
    for (const std::uint32_t dead : {0, 1, 2}) {  // the link by this port; 2: none
      run::RunSpec spec = twins.spec({"all"});
      spec.scheme = scheme;
      spec.config = run::configuration(std::string{"bsr"} + spec.scheme.back() + "k8");
      spec.barriers = 20;
      spec.packet_length = 40;
      spec.load_flits = 1.2 * twins.route_bound();
      if (dead < 2) spec.killed = {{{0, dead}, {1, dead}, 600}};
      CAPTURE(scheme, dead);
      test::on_engines(spec, [&](const run::RunResult& result) {
        CHECK(result.barriers.size() == 20);
        CHECK(run::own<preempt::Cost>(result).detours > 0);
        if (dead == 1) CHECK(result.links[0].narrowed == 10);
      });
    }
}
