// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/golden_engine.hpp"
#include "muster/verif.hpp"
#include "sim_cpp/run/deaths/death_runs.hpp"
#include "support/seed.hpp"

/// Networks that lose switches and nodes: golden, RTL and both together.

using namespace muster;

namespace {

/// The same on all engines: digest, and who has noticed what, when.
void same_on_all_engines(const run::RunSpec& spec) {
  const auto golden = run::make_golden_engine(), rtl = verif::make_rtl_engine(),
             lockstep = verif::make_lockstep_engine();
  std::string digest;
  std::size_t detected = 0;
  std::uint64_t lost = 0;
  std::vector<std::uint64_t> recovered;
  for (const auto& engine : {golden, rtl, lockstep}) {
    CAPTURE(engine->name());
    run::RunSpec own = spec;
    own.engine = core::borrowed(*engine);
    own.skip = !engine->compares();
    own.bank.random_init = engine->has_models();
    const run::RunResult result = run::run_barriers(own);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    if (digest.empty()) {
      digest = result.digest;
      detected = result.casualties.detected.size();
      lost = result.casualties.packets_lost;
      for (const auto& r : result.casualties.recovered)
        recovered.push_back(r.recovered.value_or(0));
    }
    CHECK(result.digest == digest);
    CHECK(result.casualties.detected.size() == detected);
    CHECK(result.casualties.packets_lost == lost);
    REQUIRE(result.casualties.recovered.size() == recovered.size());
    for (std::size_t i = 0; i < recovered.size(); ++i)
      CHECK(result.casualties.recovered[i].recovered.value_or(0) == recovered[i]);
  }
}

}  // namespace

TEST_CASE("deaths of switches and nodes are the same on golden and RTL",
          "[network][lockstep][death]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  for (const std::uint64_t cycle : {30, 333, 500})
    for (const bool node : {false, true})
      for (std::uint32_t id = 0; id < (node ? 8u : 4u); ++id) {
        CAPTURE(seed, cycle, node, id);
        run::RunSpec spec = test::death_spec(subject, seed);
        spec.deaths = {{.node = node, .id = id, .cycle = cycle}};
        same_on_all_engines(spec);
      }
}

TEST_CASE("groups that go on after deaths and resets are the same on golden and RTL",
          "[network][lockstep][death][retry]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  for (const bool reflect : {false, true})
    for (const run::Death death :
         {run::Death{.id = 2, .cycle = 300}, run::Death{.node = true, .id = 5, .cycle = 333},
          run::Death{.id = 1, .cycle = 350, .reset = true}}) {
      CAPTURE(seed, reflect, death.node, death.id);
      run::RunSpec spec = test::recovery_spec(subject, seed, reflect);
      spec.deaths = {death};
      same_on_all_engines(spec);
    }
}

TEST_CASE("resets of switches are the same on golden and RTL", "[network][lockstep][death]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 41);
  for (const std::uint64_t cycle : {30, 333, 500})
    for (std::uint32_t id = 0; id < 4; ++id) {
      CAPTURE(seed, cycle, id);
      run::RunSpec spec = test::death_spec(subject, seed);
      // Sessions begin in the middle of packets.
      spec.load_flits = 0.9 * subject.route_bound();
      spec.packet_length = 3 + static_cast<std::uint32_t>(rng.below(20));
      spec.deaths = {{.id = id, .cycle = cycle, .reset = true}};
      same_on_all_engines(spec);
    }
}
