// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/systems/nic.hpp"
#include "sim_cpp/run/run_fixture.hpp"

namespace muster::nic {
namespace {

using Catch::Matchers::Contains;

run::RunSpec all_of(const test::Subject& subject, const std::string& scheme, NicSpec choice) {
  run::RunSpec spec = subject.spec({"all"});
  spec.scheme = scheme;
  spec.spread = 0;
  spec.parts.set(choice);
  return spec;
}

double latency(const run::RunSpec& spec) {
  const run::RunResult result = run::run_barriers(spec);
  REQUIRE(result.violations == std::vector<std::string>{});
  REQUIRE(!result.barriers.empty());
  return result.latency_mean;
}

TEST_CASE("a STEP that a doorbell sets off passes queues of its own, a triggered one two more",
          "[workload][nic]") {
  constexpr std::uint32_t kPass = 100, kLaunch = 30, kGathering = 5;
  const test::Subject two(test::star(2)), four(test::star(4));
  for (const auto form : {ListForm::kList, ListForm::kChained}) {
    CAPTURE(static_cast<int>(form));
    const auto with = [&](const test::Subject& subject, const char* scheme, std::uint32_t pass,
                          std::uint32_t launch) {
      run::RunSpec spec = all_of(subject, scheme, {.form = form});
      spec.profile.interface_pass = pass;
      spec.profile.interface_launch = launch;
      return latency(spec);
    };
    for (const char* scheme : {"nic-dissemination", "nic-pairwise"}) {
      CAPTURE(scheme);
      // A held packet is gathered, which takes its flits' cycles; the first pass shows it.
      const double launched = with(two, scheme, kPass, 0), triggered = with(four, scheme, kPass, 0);
      CHECK(with(two, scheme, kPass, kLaunch) == launched + 2 * kLaunch);
      CHECK(with(two, scheme, 2 * kPass, kLaunch) == launched + 2 * kLaunch);
      CHECK(launched <= with(two, scheme, 0, 0) + kGathering);
      CHECK(with(four, scheme, kPass, kLaunch) == triggered + 2 * kLaunch);
      CHECK(with(four, scheme, 2 * kPass, 0) == triggered + 2 * kPass);
    }
    // A leaf is launched; the root's messages are triggered.
    const double gather = with(four, "nic-gather", kPass, 0);
    CHECK(with(four, "nic-gather", kPass, kLaunch) == gather + 2 * kLaunch);
    CHECK(with(four, "nic-gather", 2 * kPass, 0) == gather + 2 * kPass);
  }
}

TEST_CASE("the work of a program that walks the list is paid once for each of its sends",
          "[workload][nic]") {
  constexpr std::uint32_t kWork = 500;
  const test::Subject four(test::star(4));
  for (const NicLevel level : {NicLevel::kHost, NicLevel::kRdma}) {
    CAPTURE(static_cast<int>(level));
    const auto with = [&](const char* scheme, std::uint32_t work) {
      return latency(all_of(four, scheme, {.level = level, .host_step = work}));
    };
    // So much work that no message waits for another one's acknowledgement.
    CHECK(with("nic-dissemination", 2 * kWork) == with("nic-dissemination", kWork) + 2 * kWork);
    // A leaf's, then the root's three in a row.
    CHECK(with("nic-gather", 2 * kWork) == with("nic-gather", kWork) + 4 * kWork);
  }
}

TEST_CASE("a DATA passes as many queues as it is told to", "[workload][nic]") {
  constexpr std::uint32_t kPass = 100;
  const test::Subject two(test::star(2));
  for (const NicLevel level : {NicLevel::kHost, NicLevel::kDirect}) {
    const auto with = [&](std::uint32_t passes) {
      run::RunSpec spec = all_of(two, "nic-dissemination", {.level = level, .data_passes = passes});
      spec.profile.interface_pass = kPass;
      return latency(spec);
    };
    CHECK(with(6) == with(4) + 2 * kPass);
    CHECK(with(4) == with(2) + 2 * kPass);
  }
}

TEST_CASE("choices without effect at a level are refused", "[workload][nic]") {
  const test::Subject subject(test::star(4));
  const auto refused = [&](NicSpec choice) {
    try {
      run::run_barriers(all_of(subject, "nic-gather", choice));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refused({.host_step = 1}), Contains("--host-step"));
  CHECK_THAT(refused({.level = NicLevel::kDirect, .host_step = 1}), Contains("--host-step"));
  CHECK_THAT(refused({.data_passes = 4}), Contains("--data-passes"));
  CHECK_THAT(refused({.level = NicLevel::kHost, .data_passes = 7}), Contains("2 to 6"));
  CHECK_THAT(refused({.level = NicLevel::kRdma, .faults = FaultRates{.drop = 0.1}}),
             Contains("does not repeat packets"));
  CHECK_THAT(refused({.level = NicLevel::kRdma, .timeout = 9}), Contains("--timeout"));
  CHECK_THAT(refused({.level = NicLevel::kRdma, .retries = 9}), Contains("--retries"));
  for (const NicLevel level : {NicLevel::kRdma, NicLevel::kHost, NicLevel::kDirect})
    CHECK_THAT(refused({.level = level, .form = ListForm::kChained}), Contains("--chained"));
  CHECK_THAT(refused({.form = ListForm::kChained, .faults = FaultRates{.drop = 0.1}}),
             Contains("does not repeat packets"));
  CHECK_THAT(refused({.form = ListForm::kChained, .timeout = 9}), Contains("--timeout"));
  CHECK_THAT(refused({.form = ListForm::kChained, .retries = 9}), Contains("--retries"));
  CHECK_THAT(refused({.level = NicLevel::kRdma, .host_step = 3}), Contains("accepted"));
}

}  // namespace
}  // namespace muster::nic
