// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/rdma_scheme.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "run/configurations.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::nic {
namespace {

using Catch::Matchers::Contains;

run::RunSpec rdma(const test::Subject& subject, const std::string& scheme,
                  const std::vector<std::string>& groups) {
  run::RunSpec spec = subject.spec(groups);
  spec.scheme = scheme;
  spec.parts.make<NicSpec>().level = NicLevel::kRdma;
  return spec;
}

TEST_CASE("remote writes are as many as the lists have sends, without an acknowledgement",
          "[workload][nic]") {
  const test::Subject subject = test::Subject::figure1();
  for (const char* scheme : {"nic-dissemination", "nic-pairwise", "nic-gather"}) {
    CAPTURE(scheme);
    run::RunSpec spec = rdma(subject, scheme, {"all", "random:7", "random:1"});
    spec.load_flits = 0.3 * subject.route_bound();
    spec.barriers = 270;  // more than there are sequence numbers
    const run::RunResult result = run::run_barriers(spec);
    REQUIRE(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == 3 * spec.barriers);
    const NicCost& cost = *result.parts.find<NicCost>();
    const std::uint64_t messages = cost.messages_planned * spec.barriers;
    CHECK((cost.steps == messages && cost.data + cost.acks + cost.nacks == 0));
    CHECK((cost.doorbells == messages && cost.events == messages));
    for (const run::CheckCount& check : result.checks)
      if (check.name == "nic barriers") CHECK(check.passed > 10'000);
  }
}

TEST_CASE("a remote write crosses the bus at both ends, past the NICs' queues", "[workload][nic]") {
  const test::Subject subject(test::star(2));
  const auto with = [&](std::uint32_t bus, std::uint32_t overhead) {
    run::RunSpec spec = rdma(subject, "nic-dissemination", {"all"});
    spec.spread = 0;
    spec.profile.interface_pass = spec.profile.interface_launch = 1000;
    spec.profile.send = spec.profile.receive = spec.profile.bus = bus;
    spec.profile.host = overhead;
    const run::RunResult result = run::run_barriers(spec);
    REQUIRE(result.violations == std::vector<std::string>{});
    return result.latency_mean;
  };
  CHECK(with(80, 0) == with(40, 0) + 2 * 40);
  CHECK(with(40, 25) == with(40, 0) + 2 * 25);
  CHECK(with(40, 0) < 2 * 40 + 20);
}

TEST_CASE("a member that does not come is named, and who waits for it in which step",
          "[workload][nic]") {
  const test::Subject subject(test::star(4));
  run::RunSpec spec = rdma(subject, "nic-pairwise", {"all"});
  spec.absent.push_back({0, 2, 3});
  spec.max_wait = 20'000;
  const run::RunResult result = run::run_barriers(spec);
  REQUIRE(result.violations.size() == 1);
  CHECK_THAT(result.violations[0], Contains("members that have not arrived: n2"));
  CHECK_THAT(result.violations[0], Contains("n3: waits in step 1 for n2"));
  CHECK_THAT(result.violations[0], Contains("n2: has not arrived"));
}

TEST_CASE("a virtual channel of their own is refused for remote writes", "[workload][nic]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = rdma(subject, "nic-gather", {"all"});
  spec.own_barrier_vc = true;
  spec.config = run::configuration("sw8");
  CHECK_THROWS_WITH(run::run_barriers(spec), Contains("--barrier-vc own"));
}

}  // namespace
}  // namespace muster::nic
