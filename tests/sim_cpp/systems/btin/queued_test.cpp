// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/random_run.hpp"
#include "support/random.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {
namespace {

TEST_CASE(
    "barriers whose messages wait with data end on random networks, with one-flit buffers too",
    "[network][queued][random]") {
  for (std::uint64_t index = 0; index < 24; ++index) {
    test::RandomRun random(muster_seed() + 44, index, 20);
    random.calm();
    fabric::SwitchConfig& config = *random.spec.config;
    config.variant = values({.queued = true});
    if (index % 3 == 0) {
      config.depth = 1;
      random.spec.load_flits *= 0.25;
    }
    run::own<Spec>(random.spec).op = fabric::kReduceOps[index % fabric::kReduceOps.size()].op;
    run::own<Spec>(random.spec).in_band = index % 4 == 1;
    CAPTURE(index, random.text());
    const run::RunResult result = test::completes(random.spec);
    REQUIRE(result.waits);
    CHECK(result.waits->barrier_bound == result.waits->packet_bound);
  }
}

TEST_CASE("a queued message waits where data hold its link, one past the queues does not",
          "[network][queued]") {
  for (const bool queued : {false, true}) {
    run::RunSpec spec = test::figure1().spec({"all"});
    run::own<Spec>(spec).queued = queued;
    spec.spread = 0;
    spec.congestion = {.members = 5, .cycles = 400};
    const run::RunResult result = test::completes_as_planned(spec);
    CHECK((result.barriers.front().latency_cycles > 400) == queued);
  }
}

TEST_CASE("what excludes queued messages is refused in a line", "[network][queued]") {
  const auto refused = [](auto change, const char* option) {
    run::RunSpec spec = test::figure1().spec({"all"});
    run::own<Spec>(spec).queued = true;
    change(spec);
    CHECK_THROWS_WITH(run::run_barriers(spec), Catch::Matchers::StartsWith(option));
  };
  refused([](run::RunSpec& s) { run::own<Spec>(s).serial = true; }, "--serial: ");
  refused([](run::RunSpec& s) { run::own<Spec>(s).many = true; }, "--many: ");
  refused([](run::RunSpec& s) { run::own<Spec>(s).spill = true; }, "--spill: ");
  refused([](run::RunSpec& s) { run::own<Spec>(s).retry = true; }, "--retry: ");
  refused([](run::RunSpec& s) { s.links.retry = true; }, "--link-retry: ");
}

}  // namespace
}  // namespace muster::btin
