// SPDX-License-Identifier: Apache-2.0
#include "muster/systems/preempt.hpp"
#include "sim_cpp/systems/preempt/link_runs.hpp"
#include "support/all_engines.hpp"

/// Networks of preempting switches: trees that build themselves, barriers that cut data, links that
/// die.

using namespace muster;

namespace {

/// A network whose members work up to `spread` cycles, with data at `load` of saturation.
struct Network {
  test::Subject subject;
  std::vector<std::string> groups;
  std::uint32_t barriers;
  double load = 0.5;
  std::uint64_t spread = 100;
  std::uint32_t gap = preempt::Spec().gap;

  /// With all checkers, on scheme bsr-I and the configuration bsrI`size`. `cuts`: more channels are
  /// cut than there are barriers.
  run::RunResult run(int i, const std::string& size, std::uint64_t seed, bool cuts = true,
                     const std::vector<std::string>& engines = {"lockstep"}) const {
    CAPTURE(i, size, seed);
    run::RunSpec spec = subject.spec(groups, seed);
    spec.scheme = "bsr-" + std::to_string(i);
    spec.config = run::configuration("bsr" + std::to_string(i) + size);
    spec.load_flits = load * subject.route_bound();
    spec.packet_length = 32;
    spec.barriers = barriers;
    spec.spread = spread;
    run::own<preempt::Spec>(spec).gap = gap;
    return test::on_engines(spec, engines, [&](const run::RunResult& result) {
      REQUIRE(result.barriers.size() == barriers * groups.size());
      const auto& cost = run::own<preempt::Cost>(result);
      if (cuts) CHECK(cost.preemptions > barriers);
      if (cost.hop_wait_bound) CHECK(cost.longest_hop_wait <= *cost.hop_wait_bound);
    });
  }
};

test::Subject irregular(std::uint32_t switches, std::uint32_t nodes, std::uint32_t ports,
                        double connectivity, std::uint64_t seed) {
  return test::Subject(topology::generate_irregular({.switches = switches,
                                                     .nodes = nodes,
                                                     .ports = ports,
                                                     .connectivity = connectivity,
                                                     .seed = seed}));
}

}  // namespace

TEST_CASE("barriers that cut data on small networks are the same on all engines, skipping or not",
          "[network][lockstep][digest][preempt]") {
  const std::uint64_t seed = muster_seed();
  const Network network{irregular(12, 20, 4, 0.9, seed), {"all", "random:7"}, 20};
  for (const int i : {1, 2, 3})
    network.run(i, "k4", seed, true, {"golden", "rtl", "rtl*", "lockstep"});
}

TEST_CASE("with several barrier buffers, whose center takes from each port, engines agree",
          "[network][lockstep][digest][preempt]") {
  const std::uint64_t seed = muster_seed();
  const Network network{irregular(18, 36, 4, 1.0, seed), {"all", "random:7"}, 20, 0.5, 0, 0};
  network.run(1, "k4w48", seed, false, {"golden", "rtl", "rtl*", "lockstep"});
}

TEST_CASE("300 nodes with data at half of saturation agree with golden",
          "[network][lockstep][preempt]") {
  const std::uint64_t seed = muster_seed();
  const Network network{irregular(75, 300, 8, 0.75, seed), {"random:64"}, 10};
  for (const int i : {1, 2, 3}) network.run(i, "k8", seed);
}

TEST_CASE("with three channels, nearly full of data, all three switches cut and agree with golden",
          "[network][lockstep][preempt][soak]") {
  const std::uint64_t seed = muster_seed();
  const Network network{irregular(75, 150, 8, 0.75, seed), {"random:64"}, 15, 0.9};
  for (const int i : {1, 2, 3}) network.run(i, "k8v3", seed);
}

TEST_CASE("300 nodes and three groups agree with golden for 100 barriers",
          "[network][lockstep][preempt][soak]") {
  for (std::uint64_t seed = muster_seed(); seed < muster_seed() + 3; ++seed) {
    const Network network{
        irregular(75, 300, 8, 0.75, seed), {"random:64", "random:16", "all"}, 100};
    for (const int i : {1, 2, 3}) {
      network.run(i, "k8", seed);
      network.run(i, "k8v3", seed, false);  // at half of saturation some channel is free
    }
  }
}

TEST_CASE("a million channels are cut on networks in lockstep with golden",
          "[network][lockstep][preempt][soak]") {
  // Small networks nearly full of data, in which all nodes are in four groups that pass one barrier
  // after the other: the most cuts in a simulated cycle. Each switch has its share of them.
  constexpr std::uint64_t kShare = 1'000'000 / 6 + 1;
  for (const int i : {1, 2, 3})
    for (const char* size : {"k8", "k8v3"}) {
      std::uint64_t cuts = 0;
      for (std::uint64_t seed = muster_seed(); cuts < kShare; ++seed) {
        const std::uint32_t switches = seed % 2 == 0 ? 4 : 8;
        const Network network{irregular(switches, 4 * switches, 8, 0.75, seed),
                              std::vector<std::string>(4, "all"), 200, 0.9, 0};
        cuts += run::own<preempt::Cost>(network.run(i, size, seed)).preemptions;
      }
    }
}

TEST_CASE("links die on random networks of preempting switches, the same on golden and RTL",
          "[network][lockstep][preempt][links]") {
  std::size_t changed = 0, written = 0, held = 0;
  for (std::uint64_t index = 0; index < 18; ++index) {
    test::RandomLinks random(muster_seed() + 7, index, 12);
    CAPTURE(index, random.text());
    run::RunSpec& spec = random.spec;
    spec.scheme = test::kBsrSchemes[index % 3];
    spec.config = run::configuration(std::string{"bsr"} + spec.scheme.back() + "k8");
    const run::RunResult result = test::in_lockstep(spec);
    changed += run::own<preempt::Cost>(result).changes.size();
    for (const run::LinkResult& link : result.links) {
      CHECK(link.out > link.routed);
      written += link.entries;
      held += link.groups_held;
    }
  }
  CHECK(changed > 5);
  CHECK(written > 100);
  CHECK(held > 0);
}
