// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/deaths/death_runs.hpp"
#include "support/all_engines.hpp"
#include "support/random.hpp"

/// Networks that lose switches, nodes and messages, in lockstep with the RTL.

using namespace muster;

TEST_CASE("deaths and resets at any switch and node agree with golden",
          "[network][lockstep][death]") {
  const test::Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  std::size_t detected = 0;
  for (const std::uint64_t cycle : {30, 333, 500})
    for (const run::Death& kind : {run::Death{}, run::Death{.node = true}, {.reset = true}})
      for (std::uint32_t id = 0; id < (kind.node ? 8u : 4u); ++id) {
        CAPTURE(cycle, kind.node, kind.reset, id);
        run::RunSpec spec = test::death_spec(subject, seed);
        spec.deaths = {kind};
        spec.deaths[0].cycle = cycle;
        spec.deaths[0].id = id;
        if (kind.reset) {  // sessions begin in the middle of packets
          Random rng(seed + cycle, id);
          spec.load_flits = 0.9 * subject.route_bound();
          spec.packet_length = 3 + rng.below(20);
        }
        detected += test::on_engines(spec, {"lockstep"}).casualties.detected.size();
      }
  CHECK(detected > 30);
}

TEST_CASE("groups that go on after deaths and resets agree with golden",
          "[network][lockstep][death][retry]") {
  const test::Subject subject{test::square()};
  for (const bool reflect : {false, true})
    for (const run::Death death :
         {run::Death{.id = 2, .cycle = 300}, run::Death{.node = true, .id = 5, .cycle = 333},
          run::Death{.id = 1, .cycle = 350, .reset = true}}) {
      CAPTURE(reflect, death.node, death.id);
      run::RunSpec spec = test::recovery_spec(subject, muster_seed(), reflect);
      spec.deaths = {death};
      CHECK_FALSE(test::on_engines(spec, {"lockstep"}).casualties.recovered.empty());
    }
}

TEST_CASE("10^5 barriers complete in lockstep at a loss of 10^-3", "[network][retry][soak]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"random:6", "random:9", "random:4"}, muster_seed());
  spec.config = run::configuration("sw8r");
  spec.barriers = 33'334;
  btin::Spec& own = run::own<btin::Spec>(spec);
  own.retry = own.reflect = true;
  own.retries = {.period = 40, .drop = 1e-3, .duplicate = 1e-3};
  test::in_lockstep(spec);
}
