// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/seed.hpp"

namespace muster::run {
namespace {

using test::Subject;

RunResult run(const Subject& subject, std::uint64_t seed, bool reflect,
              const btin::RetrySpec* retries, std::uint32_t barriers = 8, double load = 0.0) {
  RunSpec spec = subject.spec({"random:5", "random:7"}, seed);
  spec.barriers = barriers;
  spec.load_flits = load * subject.route_bound();
  // All that repeat are built with one virtual channel.
  if (retries == nullptr) spec.config = configuration("sw8v1");
  btin::Spec& own = spec.parts.make<btin::Spec>();
  own.reflect = reflect;
  own.retry = retries != nullptr;
  if (retries != nullptr) own.retries = *retries;
  return run_barriers(spec);
}

TEST_CASE("registers that repeat take as long as others when nothing is lost", "[run][retry]") {
  const std::uint64_t seed = muster_seed();
  const Subject subject = Subject::figure1();
  for (const bool reflect : {false, true})
    for (const double load : {0.0, 0.4}) {
      CAPTURE(seed, reflect, load);
      const btin::RetrySpec rare{.period = btin::kMostRetryPeriod};
      const RunResult others = run(subject, seed, reflect, nullptr, 8, load);
      const RunResult result = run(subject, seed, reflect, &rare, 8, load);
      CHECK(result.violations == std::vector<std::string>{});
      CHECK(result.parts.get<btin::Result>().retries->repeated == 0);
      REQUIRE(result.barriers.size() == others.barriers.size());
      for (std::size_t b = 0; b < others.barriers.size(); ++b) {
        CHECK(result.barriers[b].latency_cycles == others.barriers[b].latency_cycles);
        CHECK(result.barriers[b].hops == others.barriers[b].hops);
      }
    }
}

TEST_CASE("barriers complete where half of all messages are lost", "[run][retry]") {
  const std::uint64_t seed = muster_seed();
  const Subject subject(topology::generate_mesh(4, 4));
  for (const bool reflect : {false, true}) {
    CAPTURE(seed, reflect);
    const btin::RetrySpec lossy{.period = 30, .drop = 0.5, .duplicate = 0.5};
    const RunResult result = run(subject, seed, reflect, &lossy, 20, 0.3);
    CHECK(result.violations == std::vector<std::string>{});
    CHECK(result.barriers.size() == 40);
    const auto counts = result.parts.get<btin::Result>().retries.value();
    CHECK(counts.dropped > counts.messages / 3);
    CHECK(counts.repeated > counts.messages / 3);
  }
}

TEST_CASE("10^6 barriers complete at a loss of 10^-3", "[run][retry][soak]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  const btin::RetrySpec lossy{.period = 60, .drop = 1e-3, .duplicate = 1e-3};
  const RunResult result = run(Subject::figure1(), seed, true, &lossy, 500'000);
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.barriers.size() == 1'000'000);
}

}  // namespace
}  // namespace muster::run
