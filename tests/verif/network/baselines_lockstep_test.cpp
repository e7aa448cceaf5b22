// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "fabric/configurations.hpp"
#include "muster/core/pointers.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/nic.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;

namespace {

/// The multicast scheme on a random network, all checkers on.
void run_worms(std::uint64_t index, const std::vector<std::string>& engines) {
  const std::uint64_t seed = muster_seed();
  test::RandomRun run(seed + 3, index, 8);
  CAPTURE(seed, index, run.text());
  run.by("multicast");
  run.spec.config = run::configuration("mc8");
  test::on_engines(run.spec, engines, [&](const run::RunResult& result) {
    REQUIRE(result.barriers.size() == run.spec.groups.size() * run.spec.barriers);
    for (const run::BarrierRecord& b : result.barriers)
      REQUIRE(b.hops == result.planned_hops[b.group]);
  });
}

}  // namespace

TEST_CASE("worms on 5 random networks agree with golden", "[network][lockstep][multicast]") {
  for (std::uint64_t i = 0; i < 5; ++i) run_worms(i, {"lockstep"});
}

TEST_CASE("worms have the same digest on golden and RTL", "[network][digest][multicast]") {
  run_worms(0, {"golden", "rtl", "rtl*"});
}

TEST_CASE("the RTL's engine takes the sizes of a multicast switch that was built",
          "[network][multicast]") {
  const auto rtl = verif::make_rtl_engine();
  const fabric::Requirement need{
      .ports = 5, .dests = 100, .vcs = 2, .kind = &packets::kMulticastSwitch};
  CHECK(fabric::choose(run::configurations(), need, *rtl).name == "mc8");  // there is no mc5
  CHECK_THROWS_WITH(
      fabric::choose(run::configurations(),
                     {.ports = 12, .vcs = 2, .kind = &packets::kMulticastSwitch}, *rtl),
      Catch::Contains("mc8"));
}

using nic::NicLevel;

namespace {

constexpr const char* kSchemes[] = {"nic-dissemination", "nic-pairwise", "nic-gather"};
constexpr NicLevel kLevels[] = {NicLevel::kCollective, NicLevel::kDirect, NicLevel::kHost};

/// NIC barriers on Figure 1's network, all checkers on.
void run_nics(const char* scheme, NicLevel level, bool faults, std::uint64_t seed,
              const std::vector<std::string>& engines) {
  CAPTURE(scheme, static_cast<int>(level), faults, seed);
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"all", "random:9", "random:2"}, seed);
  spec.config = run::configuration("sw8v1");  // the NIC with two channels is too small
  spec.scheme = scheme;
  spec.barriers = 2;
  spec.load_flits = seed % 2 ? 0.4 * subject.route_bound() : 0.0;
  run::own<nic::NicSpec>(spec).level = level;
  if (faults) {
    Rng rng(seed);
    const auto rate = [&] { return 0.1 * rng.uniform(); };
    run::own<nic::NicSpec>(spec).faults =
        nic::FaultRates{rate(), rate(), rate(), rate(), rate(), 300};
  }
  test::on_engines(spec, engines, [&](const run::RunResult& result) {
    REQUIRE(result.barriers.size() == spec.groups.size() * spec.barriers);
  });
}

}  // namespace

TEST_CASE("NIC barriers of all algorithms and levels on a network agree with golden",
          "[network][lockstep][nic]") {
  std::uint64_t seed = muster_seed();
  for (const char* scheme : kSchemes)
    for (const NicLevel level : kLevels)
      for (const bool faults : {false, true}) run_nics(scheme, level, faults, ++seed, {"lockstep"});
}

TEST_CASE("NIC barriers have the same digest on golden and RTL", "[network][digest][nic]") {
  std::uint64_t seed = muster_seed();
  for (const NicLevel level : kLevels)
    run_nics(kSchemes[0], level, true, ++seed, {"golden", "rtl", "rtl*"});
}

TEST_CASE("NIC barriers with a virtual channel of their own agree with golden, among data",
          "[network][lockstep][nic]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : kSchemes) {
    CAPTURE(scheme);
    // As large as fits the NIC that is built with two channels.
    run::RunSpec spec = subject.spec({"random:8", "random:2"}, seed);
    spec.scheme = scheme;
    spec.own_barrier_vc = true;
    spec.load_flits = 0.4 * subject.route_bound();
    run::own<nic::NicSpec>(spec).faults = nic::FaultRates{.drop = 0.02, .reorder = 0.02};
    test::in_lockstep(spec);
  }
}
