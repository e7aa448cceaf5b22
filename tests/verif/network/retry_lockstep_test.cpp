// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/all_engines.hpp"
#include "support/seed.hpp"

using namespace muster;

namespace {

struct Faults {
  double drop, duplicate;
};

/// The same run on golden, RTL and in lockstep; the last.
run::RunResult on_all(const test::Subject& subject, std::uint64_t seed, bool reflect,
                      const Faults& faults, std::uint32_t barriers) {
  run::RunSpec spec = subject.spec({"random:6", "random:9", "random:4"}, seed);
  spec.config = run::configuration("sw8r");
  spec.barriers = barriers;
  spec.load_flits = 0.2 * subject.route_bound();
  btin::Spec& own = run::own<btin::Spec>(spec);
  own.reflect = reflect;
  own.retry = true;
  own.retries = {.period = 40, .drop = faults.drop, .duplicate = faults.duplicate};
  return test::on_engines(
      spec, [&](const run::RunResult& result) { CHECK(result.barriers.size() == 3 * barriers); });
}

}  // namespace

TEST_CASE("barriers complete on links that lose and double messages, on every engine",
          "[network][retry]") {
  const std::uint64_t seed = muster_seed();
  const test::Subject subject = test::Subject::figure1();
  for (const Faults& faults :
       {Faults{0.0, 0.0}, Faults{0.02, 0.0}, Faults{0.0, 0.3}, Faults{0.2, 0.2}, Faults{0.5, 0.1}})
    for (const bool reflect : {false, true}) {
      CAPTURE(seed, faults.drop, faults.duplicate, reflect);
      const run::RunResult result = on_all(subject, seed, reflect, faults, 6);
      const auto retries = run::own<btin::Result>(result).retries;
      REQUIRE(retries);
      CHECK((retries->dropped > 0) == (faults.drop > 0.0));
      CHECK((retries->duplicated > 0) == (faults.duplicate > 0.0));
    }
}

TEST_CASE("10^5 barriers complete in lockstep at a loss of 10^-3", "[network][retry][soak]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"random:6", "random:9", "random:4"}, seed);
  spec.config = run::configuration("sw8r");
  spec.barriers = 33'334;
  btin::Spec& own = run::own<btin::Spec>(spec);
  own.retry = own.reflect = true;
  own.retries = {.period = 40, .drop = 1e-3, .duplicate = 1e-3};
  test::in_lockstep(spec);
}

/// Networks whose links retry and whose wires lose: golden, RTL and both together.

TEST_CASE("barriers and data over links that retry are the same on golden and RTL",
          "[network][lockstep][link]") {
  const std::uint64_t seed = muster_seed();
  const test::Subject subject = test::Subject::figure1();
  for (const char* config : {"sw8v1", "sw8"})
    for (const double share : {0.0, 0.001, 0.05}) {
      CAPTURE(seed, config, share);
      run::RunSpec spec = subject.spec({"paper", "all"});
      spec.seed = seed;
      spec.config = run::configuration(config);
      spec.links = {.retry = true, .drop = share, .corrupt = share, .duplicate = share};
      spec.links.flaps = {{4, 700, 30}};
      spec.load_flits = 0.3 * subject.route_bound();
      std::uint64_t replayed = 0;
      test::on_engines(spec, {"golden", "golden*", "rtl", "rtl*", "lockstep"},
                       [&](const run::RunResult& result) {
                         CHECK(result.barriers.size() == 2 * spec.barriers);
                         if (result.engine == "golden") replayed = result.wires->replayed;
                         CHECK(result.wires->replayed == replayed);
                       });
      CHECK((share < 0.01 || replayed > 100));
    }
}

TEST_CASE("messages that find no place at a link are the same on golden and RTL",
          "[network][lockstep][link][retry][lossy]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.spec({"paper", "all", "random:5"}, seed);
  spec.config = run::configuration("sw8r");
  spec.links = {.retry = true, .drop = 0.05};
  spec.load_flits = 0.3 * subject.route_bound();
  spec.barriers = 20;
  btin::Spec& own = run::own<btin::Spec>(spec);
  own.retry = true;
  own.retries.period = 5;
  std::uint64_t lost = 0;
  test::on_engines(spec, {"golden", "lockstep"}, [&](const run::RunResult& result) {
    CHECK(result.barriers.size() == 3 * spec.barriers);
    if (result.engine == "golden") lost = result.wires->lost.value();
    CHECK(result.wires->lost.value() == lost);
  });
  CHECK(lost > 0);
}
