// SPDX-License-Identifier: Apache-2.0
#include "run/saturation.hpp"

#include "run/repeated.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/folder.hpp"

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

/// Runs of which `agree` saturate from `edge` on, and all from `all` on.
MeasureLoad network(double edge, double all, std::uint32_t runs, std::uint32_t agree) {
  return [=](double load) {
    return Probe{.load = load,
                 .runs = runs,
                 .saturated = load >= all    ? runs
                              : load >= edge ? agree
                                             : 0};
  };
}

TEST_CASE("a search ends with an interval as wide as the tolerance, or as far as seeds disagree",
          "[run][saturation]") {
  struct Case {
    double first, edge, all;
    std::uint32_t runs, agree;
    double sustained, unsustained;  ///< the least of both; 0: all loads are carried
  };
  const Case cases[] = {{0.4, 0.17, 0.17, 3, 3, 0.16, 0.17},  // by bisection
                        {0.1, 0.53, 0.53, 1, 1, 0.52, 0.53},  // found by doubling
                        {0.8, 0.3, 0.5, 3, 1, 0.29, 0.5},     // the seeds disagree
                        {0.8, 0.3, 0.5, 3, 2, 0.29, 0.5},
                        {0.8, 0.9, 2.0, 3, 1, 0.89, 0.0},  // also at the most that nodes send
                        {0.3, 2.0, 2.0, 3, 3, 1.0, 0.0}};  // a network that does not saturate
  for (const Case& c : cases) {
    CAPTURE(c.first, c.edge, c.all, c.agree);
    const Saturation found = find_saturation({.first = c.first, .most = 1.0, .tolerance = 0.01},
                                             network(c.edge, c.all, c.runs, c.agree));
    CHECK(found.verdict == (c.edge > 1.0 ? Verdict::kSustained : Verdict::kSaturates));
    CHECK((c.sustained <= found.sustained && found.sustained <= c.sustained + 0.01));
    CHECK((c.edge > 1.0 || found.sustained < c.edge));
    CHECK(found.unsustained.has_value() == (c.unsustained != 0.0));
    if (found.unsustained)
      CHECK((c.unsustained <= *found.unsustained && *found.unsustained <= c.unsustained + 0.01));
    CHECK(found.probes.front().load == c.first);
    CHECK(found.probes.size() <= 16);
  }
}

TEST_CASE("an interrupted search keeps what it knows", "[run][saturation]") {
  int left = 2;
  const MeasureLoad carried = network(0.3, 0.3, 3, 3);
  const Saturation found = find_saturation({.first = 0.4, .most = 1.0, .tolerance = 0.01},
                                           [&](double load) -> std::optional<Probe> {
                                             if (left-- == 0) return std::nullopt;
                                             return carried(load);
                                           });
  CHECK(found.verdict == Verdict::kInterrupted);
  CHECK(found.probes.size() == 2);
  CHECK(found.sustained == 0.2);
  CHECK(found.unsustained == 0.4);

  const Saturation at_once = find_saturation({}, [](double) { return std::nullopt; });
  CHECK(at_once.verdict == Verdict::kInterrupted);
  CHECK((at_once.probes.empty() && at_once.sustained == 0.0 && !at_once.unsustained));
}

SaturationReport report_of(const test::Subject& subject, Saturation found) {
  SaturationReport report;
  report.spec = subject.spec({});
  report.spec.scheme = "btin";
  report.spec.warmup = 100;
  report.spec.min_cycles = 5100;
  report.config = resolve(report.spec)->config;
  report.pattern = "uniform";
  report.repeat = 3;
  report.tolerance = 0.02;
  report.route_bound = 0.5;
  report.found = std::move(found);
  return report;
}

TEST_CASE("a network that carries everything has no saturation", "[run][saturation][io]") {
  const test::Subject subject(test::star(3));
  const auto report = report_of(subject, {.probes = {{1.0, 3, 0, 1.0, 9.0}},
                                          .sustained = 1.0,
                                          .unsustained = {},
                                          .verdict = Verdict::kSustained});
  const auto json = test::valid_json(saturation_to_json(report, {"c", "v", 1}));
  CHECK(json.at("verdict") == "sustained");
  CHECK(json.at("unsustained_flits_per_node_cycle").is_null());
  CHECK_THAT(saturation_to_text(report),
             Contains("saturation   none: the network carries 1.0000 flits/node/cycle"));
}

}  // namespace

}  // namespace muster::run
