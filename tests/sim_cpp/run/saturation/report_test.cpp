// SPDX-License-Identifier: Apache-2.0
#include "run/saturation/report.hpp"

#include <catch2/catch.hpp>

#include "muster/run/resolve.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "support/valid_json.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;

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

TEST_CASE("a saturation is reported with its interval and every load that was run",
          "[run][saturation][io]") {
  const test::Subject subject = test::Subject::figure1();
  const auto report =
      report_of(subject, {.probes = {{0.25, 3, 0, 0.25, 40.0}, {0.3, 3, 3, 0.27, 900.0}},
                          .sustained = 0.25,
                          .unsustained = 0.3,
                          .verdict = Verdict::kSaturates});
  const auto json = test::valid_json(saturation_to_json(report, {"muster saturate x", "0.1", 1}));
  CHECK(json.at("verdict") == "saturates");
  CHECK(json.at("interrupted") == false);
  CHECK(json.at("parameters").at("cycles") == 5000);
  CHECK(json.at("parameters").at("config").at("vcs") == 2);
  CHECK(json.at("sustained_flits_per_node_cycle") == 0.25);
  CHECK(json.at("unsustained_flits_per_node_cycle") == 0.3);
  CHECK(json.at("probes").at(1).at("saturated") == 3);
  CHECK_THAT(saturation_to_text(report), Catch::Matchers::StartsWith("switches     sw8") &&
                                             Contains("3 of 3") &&
                                             Contains("above 0.2500, below 0.3000") &&
                                             Contains("0.500 and 0.600 of the route"));
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
