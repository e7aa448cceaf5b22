// SPDX-License-Identifier: Apache-2.0
#include "bench/report.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "bench/traffic_network.hpp"
#include "muster/run/run.hpp"
#include "support/folder.hpp"

namespace muster::bench {

TEST_CASE("absolute times are of the best round, ratios the median of rounds", "[bench]") {
  Timings t(2);
  const double subject[] = {4.0, 3.0, 9.0, 2.0, 50.0}, reference[] = {2.0, 3.0, 3.0, 4.0, 1.0};
  for (int round = 0; round < 5; ++round) {
    t.add(0, subject[round]);
    t.add(1, reference[round]);
  }
  CHECK(t.best(0) == 2.0);
  CHECK(t.best(1) == 1.0);
  CHECK(t.ratio(0, 1) == 2.0);  // of 2, 1, 3, 0.5, 50
  CHECK(t.ratio(1, 1) == 1.0);
}

TEST_CASE("subjects work in turn, every other round in reverse", "[bench]") {
  std::string order;
  alternate({[&] { order += 'a'; }, [&] { order += 'b'; }, [&] { order += 'c'; }}, 3);
  CHECK(order == "abccbaabc");
}

TEST_CASE("the time of a subject is CPU time that it used itself", "[bench]") {
  const auto busy = [](double seconds) {
    for (const double start = cpu_seconds(); cpu_seconds() - start < seconds;) {
    }
  };
  const Timings t = alternate({[&] { busy(0.04); }, [&] { busy(0.01); }, [] {}}, 3);
  CHECK(t.best(0) >= 0.04);
  CHECK(t.ratio(0, 1) > 2.0);
  CHECK(t.best(2) < 0.01);
}

namespace {

Measure measure(double value, std::optional<Goal> goal) {
  return {"id", "what", value, "ns", "how", goal};
}

}  // namespace

TEST_CASE("a goal is met up to and including its value", "[bench]") {
  using enum Goal::Sense;
  CHECK(measure(20.0, at_most(20)).met());
  CHECK(measure(19.9, at_most(20)).met());
  CHECK_FALSE(measure(20.1, at_most(20)).met());
  CHECK(measure(5.0, at_least(5)).met());
  CHECK(measure(5.1, at_least(5)).met());
  CHECK_FALSE(measure(4.9, at_least(5)).met());
  CHECK(measure(3.0, Goal{kExactly, 3}).met());
  CHECK_FALSE(measure(2.0, Goal{kExactly, 3}).met());
  CHECK(measure(7.0, {}).met());
}

TEST_CASE("the table says yes, NO, or nothing where there is no goal", "[bench]") {
  Report report;
  report.measures = {measure(1234.5, at_most(1000)), measure(0.25, at_most(2)), measure(17.0, {})};
  report.link_throughput = {{1, 1, 0.2, 0.2}, {1, 2, 0.3, 0.4}};
  report.omitted = {"scaling: no rtl"};
  const std::string text = report_to_text(report);
  CAPTURE(text);
  CHECK(text.find("1234 ns") != std::string::npos);
  CHECK(text.find("<= 1000  NO") != std::string::npos);
  CHECK(text.find("0.25 ns") != std::string::npos);
  CHECK(text.find("<= 2  yes") != std::string::npos);
  CHECK(text.find("1: 0.200  2: 0.300 (not 0.400)") != std::string::npos);
  CHECK(text.find("omitted: scaling: no rtl") != std::string::npos);
}

TEST_CASE("a program with golden only measures what it can and names the rest", "[bench]") {
  fabric::EngineRegistry engines;
  engines.add(run::make_golden_engine());
  Setting setting{.engines = &engines, .seed = 3, .quick = true, .progress = {}};
  const Report report = measure_all(setting);
  CHECK(report.omitted.size() == 4);
  CHECK(report.measures.size() == 3 + 1 + 2 + 6);
  CHECK(report.link_throughput.size() == 3 * 8);

  const auto json = test::valid_json(
      report_to_json(report, setting, {.command = "muster bench", .version = "1", .seed = 3}));
  CHECK(json["schema"] == "muster-bench-1");
  CHECK(json["quick"] == true);
  CHECK(json["machine"]["cores"].get<int>() >= 1);
  std::set<std::string> ids;
  for (const auto& m : json["measures"]) {
    CAPTURE(m.dump());
    CHECK(m["value"].get<double>() > 0.0);
    CHECK(m["met"].is_null() == m["goal"].is_null());
    ids.insert(m["id"]);
  }
  CHECK(ids.size() == report.measures.size());
  CHECK(ids.count("barrier_hop_L4") == 1);
}

}  // namespace muster::bench
