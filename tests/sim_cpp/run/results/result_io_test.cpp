// SPDX-License-Identifier: Apache-2.0
#include "muster/run/result_io.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "sim_cpp/run/run_fixture.hpp"
#include "support/valid_json.hpp"

namespace muster::run {
namespace {

TEST_CASE("a run's JSON says what was run and what came out", "[workload][io]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper", "random:3"}, 42);
  spec.load_flits = 0.02;
  spec.profile = {"slow", 20.0};
  const RunResult result = run_barriers(spec);
  const auto json = test::valid_json(run_to_json(spec, result, {"muster run x", "0.1", 42}));
  CHECK(json.at("schema") == "muster-run-1");
  CHECK(json.at("command") == "muster run x");
  CHECK(json.at("version") == "0.1");
  CHECK(json.at("engine") == "golden");
  CHECK(json.at("scheme") == "btin");
  CHECK(json.at("seed") == 42);
  CHECK(json.at("digest") == result.digest);
  CHECK(json.at("saturated") == false);
  CHECK(json.at("cycles") == result.cycles);
  CHECK(json.at("violations") == 0);
  CHECK(json.at("switch_cycles_per_second").get<double>() > 0);
  REQUIRE(json.at("barriers").size() == 20);
  const auto& b = json.at("barriers").at(13);
  CHECK(b.at("group") == "random:3");
  CHECK(b.at("number") == 3);
  CHECK(b.at("latency_cycles") == result.barriers[13].latency_cycles);
  CHECK(b.at("latency_cycles") ==
        b.at("reduction_cycles").get<int>() + b.at("distribution_cycles").get<int>());
  CHECK(b.at("latency_us") == Approx(result.barriers[13].latency_cycles * 0.02));
  CHECK(b.at("reduction_us") == Approx(result.barriers[13].reduction_cycles * 0.02));
  CHECK(b.at("distribution_us") == Approx(result.barriers[13].distribution_cycles * 0.02));
  CHECK(b.contains("exit_skew_cycles"));
  CHECK(json.at("barriers").at(0).at("hops") == 40);
  CHECK(json.at("latency_cycles").at("min") <= json.at("latency_cycles").at("mean"));
  CHECK(json.at("latency_cycles").at("mean") <= json.at("latency_cycles").at("max"));
  for (const std::string field : {"min", "mean", "max", "p50", "p95", "p99", "first_mean"})
    CHECK(json.at("latency_us").at(field).get<double>() ==
          Approx(json.at("latency_cycles").at(field).get<double>() * 0.02));
  CHECK(json.at("latency_cycles").at("p50") <= json.at("latency_cycles").at("p95"));
  CHECK(json.at("latency_cycles").at("later_mean") == *result.latency_later_mean);
  CHECK(json.at("parameters").at("groups").at(0).at("members").size() == 14);
  CHECK(json.at("parameters").at("barrier_vc") == "shared");
  CHECK(json.at("parameters").at("config").at("ports") == 8);
  CHECK(json.at("data").at("packets_delivered").get<int>() > 0);

  CHECK(json.at("waits").at("packet_bound_cycles") == result.waits->packet_bound);
  CHECK(json.at("waits").at("longest_packet_cycles") == result.waits->longest_packet);
  CHECK(json.at("waits").at("longest_barrier_cycles") <
        json.at("waits").at("barrier_bound_cycles"));

  CHECK_THAT(
      switches_to_text(spec, result.config),
      Catch::Matchers::StartsWith("switches     sw8: 8 ports, 2 virtual channels of 4 flits"));
  const std::string text = run_to_text(spec, result);
  CHECK_THAT(text, Catch::Matchers::Contains(fmt::format(
                       "{} ({:.3f})", result.barriers[13].distribution_cycles,
                       static_cast<double>(result.barriers[13].distribution_cycles) * 0.02)));
  CHECK_THAT(text,
             Catch::Matchers::Contains(result.digest) && Catch::Matchers::Contains("0 violations"));
}

TEST_CASE("a violation stands in JSON and text", "[workload][io]") {
  const test::Subject subject(test::star(3));
  RunSpec spec = subject.spec({"all"});
  spec.absent = {{0, 1, 0}};
  const RunResult result = run_barriers(spec);
  const auto json = test::valid_json(run_to_json(spec, result, {"c", "v", 1}));
  CHECK(json.at("violations") == 1);
  CHECK(json.at("violation_texts").at(0) == result.violations.at(0));
  CHECK(json.at("barriers").empty());
  CHECK(json.at("latency_cycles").at("first_mean").is_null());
  CHECK(json.at("data").is_null());
  CHECK_THAT(run_to_text(spec, result), Catch::Matchers::Contains("0:1 (n1)"));
}

}  // namespace
}  // namespace muster::run
