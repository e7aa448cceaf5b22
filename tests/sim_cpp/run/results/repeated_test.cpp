// SPDX-License-Identifier: Apache-2.0
#include "run/results/repeated.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/run/run_fixture.hpp"
#include "support/valid_json.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;

RunResult run_of(double mean, std::optional<double> later) {
  RunResult result;
  result.latency_mean = mean;
  result.latency_first_mean = mean + 2;
  result.latency_later_mean = later;
  return result;
}

TEST_CASE("runs with other seeds give a mean and its interval", "[run][repeat]") {
  const Repeated all = summarize_runs({run_of(10, 9), run_of(14, std::nullopt), run_of(12, 11)});
  CHECK(all.complete == 3);
  CHECK(all.latency_mean.mean == Approx(12.0));
  // t = 4.3027 with two degrees of freedom, deviation 2, root of 3.
  CHECK(all.latency_mean.half_width == Approx(4.3027 * 2 / std::sqrt(3.0)));
  CHECK(all.latency_first.mean == Approx(14.0));
  CHECK(all.latency_later.runs == 2);
  CHECK(all.latency_later.mean == Approx(10.0));
  CHECK(all.accepted.runs == 0);
  CHECK_FALSE(all.accepted.mean);
  CHECK_FALSE(summarize_runs({run_of(10, 9)}).latency_mean.half_width);
}

TEST_CASE("only complete runs count", "[run][repeat]") {
  RunResult cut = run_of(100, 100);
  cut.end = End::kInterrupted;
  const Repeated all = summarize_runs({run_of(10, 9), cut});
  CHECK(all.complete == 1);
  CHECK(all.latency_mean.mean == Approx(10.0));
}

TEST_CASE("JSON and text of repeated runs have every run and the means", "[run][repeat][io]") {
  const test::Subject subject = test::Subject::figure1();
  RunSpec spec = subject.spec({"paper"}, 7);
  spec.load_flits = 0.02;
  std::vector<RunResult> results;
  for (std::uint64_t seed : {7, 8}) {
    RunSpec next = spec;
    next.seed = seed;
    results.push_back(run_barriers(next));
  }
  const auto json =
      test::valid_json(repeated_to_json(spec, results, 3, {"muster run x", "0.1", 7}));
  CHECK(json.at("repeat") == 3);
  CHECK(json.at("complete") == 2);
  CHECK(json.at("interrupted") == true);
  CHECK(json.at("runs").at(1).at("seed") == 8);
  CHECK(json.at("runs").at(1).at("digest") == results[1].digest);
  CHECK(json.at("latency_cycles").at("mean").at("mean") ==
        Approx((results[0].latency_mean + results[1].latency_mean) / 2));
  CHECK(json.at("latency_us").at("p95").at("mean") ==
        Approx(json.at("latency_cycles").at("p95").at("mean").get<double>() * 0.01));
  CHECK(json.at("data").at("accepted_flits_per_node_cycle").at("runs") == 2);
  const std::string text = repeated_to_text(spec, results, 3);
  CHECK_THAT(text, Contains("2 of 3 complete, seeds from 7") && Contains(" +- ") &&
                       Contains("0 violations"));
}

}  // namespace
}  // namespace muster::run
