// SPDX-License-Identifier: Apache-2.0
#include "muster/systems/nic.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "systems/nic/nic_plan.hpp"

namespace muster::nic {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("barriers by hardware broadcast release no member before all have arrived",
          "[workload][nic]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.by(kBroadcastScheme, {"all", "random:7", "random:1", "0:3,4:2"});
  spec.barriers = 40;
  spec.load_flits = 0.3 * subject.route_bound();
  const run::RunResult result = test::completes(spec);
  for (const run::CheckCount& check : result.checks)
    if (check.name == "barriers") CHECK(check.passed > 1000);
}

TEST_CASE("when all have arrived the root asks once: down, up, down, and no more messages",
          "[workload][nic]") {
  const test::Subject subject(test::star(4));
  run::RunSpec spec = subject.by(kBroadcastScheme, {"all"});
  spec.spread = 0;
  spec.barriers = 3;
  const run::RunResult result = test::passes(spec);
  for (const run::BarrierRecord& b : result.barriers) {
    // A question, its answers, the release: a hop of 2 cycles to the switch and one from it each,
    // with a cycle at each end.
    CHECK(b.latency_cycles < 20);
    // Of three members: down by 4 links, up by 4, down by 4; after all but the last barrier up.
    CHECK(b.hops == (b.number == 2 ? 12 : 16));
  }
}

TEST_CASE("the answer is what triggers the release, and a doorbell the question",
          "[workload][nic]") {
  const test::Subject subject(test::star(4));
  const auto with = [&](std::uint32_t pass, std::uint32_t launch, std::uint32_t bus) {
    run::RunSpec spec = subject.by(kBroadcastScheme, {"all"});
    spec.spread = 0;
    spec.profile.interface_pass = pass;
    spec.profile.interface_launch = launch;
    // What other schemes' messages cross between host and link, these do not.
    spec.profile.send = spec.profile.receive = 1000;
    spec.profile.bus = bus;
    return test::passes(spec).latency_mean;
  };
  // The bus is slow enough for all to have acknowledged the release before.
  const double some = with(10, 10, 50);
  CHECK(with(110, 10, 50) == some + 200);
  CHECK(with(10, 110, 50) == some + 200);
  CHECK(with(10, 10, 150) == some + 200);
}

TEST_CASE("hardware broadcast begins when links that retry are up", "[workload][nic][links]") {
  for (const double drop : {0.0, 0.02}) {
    run::RunSpec spec = test::figure1().by(kBroadcastScheme, {"all", "random:7"});
    spec.links.retry = true;
    spec.links.drop = drop;
    CHECK(test::completes(spec).barriers.size() == 2 * spec.barriers);
  }
}

TEST_CASE("a missing member is named, with the questions that were asked", "[workload][nic]") {
  const test::Subject subject(test::star(4));
  run::RunSpec spec = subject.by(kBroadcastScheme, {"all"});
  spec.absent.push_back({0, 2, 3});
  spec.max_wait = 20'000;
  CHECK_THAT(test::breach_of(spec),
             Contains("members that have not arrived: n2") && Contains("has asked"));
}

}  // namespace

}  // namespace muster::nic
