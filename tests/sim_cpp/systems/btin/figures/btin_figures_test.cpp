// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/figures/btin_figures.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "muster/run/golden_engine.hpp"
#include "systems/btin/figures/startup_counter.hpp"

using namespace muster;
using Catch::Matchers::Contains;

namespace {

struct Setting {
  Setting() {
    setting.engine = engine;
    setting.repetitions = 2;
    setting.threads = 2;
  }
  std::shared_ptr<const fabric::BankFactory> engine = run::make_golden_engine();
  figures::FigureSetting setting;
};

const figures::Series& named(const figures::Panel& panel, const std::string& name) {
  for (const figures::Series& series : panel.series)
    if (series.name == name) return series;
  FAIL("no curve " << name);
  return panel.series.front();
}

figures::FigureData figure(const std::string& id) {
  Setting s;
  figures::FigureData data = figures::all_figures().find(id)[0]->measure(s.setting);
  CHECK(data.violations == 0);
  return data;
}

}  // namespace

TEST_CASE("figure btin-6 measures what the formula says of BTIN, at all sizes",
          "[experiment][btin]") {
  const figures::FigureData data = figure("btin-6");
  REQUIRE(data.panels.size() == 4);
  CHECK(named(data.panels[0], "btin, measured").points.size() == 8);
  CHECK(named(data.panels[1], "btin, measured").points.size() == 10);
  for (const figures::Panel& panel : {data.panels[0], data.panels[1]}) {
    const figures::Series& measured = named(panel, "btin, measured");
    const figures::Series& formula = named(panel, "btin, formula");
    for (std::size_t i = 0; i < measured.points.size(); ++i)
      CHECK(*measured.points[i].y == Approx(*formula.points[i].y));
    const double n = measured.points.back().x;
    const double unicast = btin::value_at(named(panel, "unicast, measured"), n);
    const double multicast = btin::value_at(named(panel, "multicast, measured"), n);
    CHECK(multicast > btin::value_at(measured, n));
    CHECK(unicast > multicast);
    CHECK(multicast > btin::value_at(named(panel, "multicast, no contention"), n));
    CHECK(unicast > 2 * btin::value_at(measured, n));
    const double occupied = btin::value_at(named(panel, "multicast, occupied inputs, measured"), n);
    CHECK(occupied > 1.5 * multicast);
    CHECK(btin::value_at(named(panel, "btin, occupied inputs, measured"), n) ==
          btin::value_at(measured, n));
    CHECK(occupied < btin::value_at(named(panel, "multicast, one-port root node"), n));
    CHECK(btin::value_at(named(panel, "multicast, one-port root node"), n) >
          btin::value_at(named(panel, "multicast, busiest root port"), n));
  }
  CHECK_THAT(figures::figure_to_text("btin-6", data), Contains("printed 120.5, measured"));
  const auto& printed = data.panels[1].printed;
  REQUIRE(printed.size() == 2);
  REQUIRE(printed[0].measured_by == "btin, measured");
  CHECK(btin::value_at(named(data.panels[1], printed[0].measured_by), printed[0].x) ==
        Approx(printed[0].y).epsilon(0.1));
}

TEST_CASE("figure btin-7 counts hops as the plans do", "[experiment][btin]") {
  const figures::FigureData data = figure("btin-7");
  REQUIRE(data.panels.size() == 3);
  for (const figures::Series& series : data.panels[2].series)
    for (const figures::Point& p : series.points) CHECK(*p.y >= 1.0);
  for (const figures::Panel& panel : {data.panels[0], data.panels[1]})
    CHECK(btin::value_at(named(panel, "multicast, shortest ways and one worm"), 256) <
          btin::value_at(named(panel, "multicast, measured"), 256));
  CHECK(data.panels[2].printed.size() == 2);
}

TEST_CASE("figure btin-8 has both connectivities that can be built", "[experiment][btin]") {
  const figures::FigureData data = figure("btin-8");
  REQUIRE(data.panels.size() == 3);
  CHECK(btin::value_at(named(data.panels[1], "measured"), 256) > 1.2);
  CHECK(btin::value_at(named(data.panels[1], "fullest branch of the tree"), 256) > 1.5);
  for (const char* routes : {"", ", routes around the root"})
    CHECK(btin::value_at(named(data.panels[1], std::string("measured, occupied inputs") + routes),
                         256) > 1.2 * btin::value_at(named(data.panels[1], "measured"), 256));
  CHECK(btin::value_at(named(data.panels[2], "one-port root node"), 256) > 5);
  CHECK_THAT(figures::figure_to_text("btin-8", data),
             Contains("f = 50 %, printed 8.7, cannot be built") &&
                 Contains("From f = 70 % to 90 % the ratio rises, measured:"));
}

TEST_CASE("figure btin-t1 has the values of Theorem 1", "[experiment][btin]") {
  const figures::FigureData data = figure("btin-t1");
  CHECK(btin::value_at(named(data.panels[0], "log_b n"), 256) == Approx(12.0).margin(0.05));
  CHECK(btin::value_at(named(data.panels[0], "log_b q"), 256) == Approx(9.4).margin(0.05));
  CHECK(btin::value_at(named(data.panels[1], "1 + log_b ((q - 1) / fk)"), 1024) ==
        Approx(9.5).margin(0.05));
}

TEST_CASE("Table 2 counts the start-ups of every scheme", "[experiment][btin]") {
  const figures::FigureData data = figure("btin-t2");
  for (const double n : {2.0, 64.0, 256.0}) {
    CHECK(btin::value_at(named(data.panels[0], "btin"), n) == n);
    CHECK(btin::value_at(named(data.panels[1], "btin"), n) == 1);
    CHECK(btin::value_at(named(data.panels[0], "unicast"), n) == 2 * (n - 1));
    CHECK(btin::value_at(named(data.panels[1], "unicast"), n) == n - 1);
    const double worms = std::ceil((n - 1) / 64);
    CHECK(btin::value_at(named(data.panels[0], "multicast"), n) == n - 1 + worms);
    CHECK(btin::value_at(named(data.panels[1], "multicast"), n) == std::max(1.0, worms));
  }
  CHECK_THAT(figures::figure_to_text("btin-t2", data), Contains("messages of up to 66 flits"));
  CHECK_THAT(figures::figure_to_text("btin-t2", data), Contains("messages of up to 3 flits"));
}

TEST_CASE("Table 2 counts what it takes to create a group", "[experiment][btin]") {
  const figures::FigureData data = figure("btin-t2");
  REQUIRE(data.panels.size() == 5);
  const figures::Panel& messages = data.panels[3];
  for (const double n : {2.0, 16.0, 256.0}) {
    const double switches = btin::value_at(named(messages, "switches written"), n);
    CHECK(switches <= 75);
    // At least the identifier, the child mask and the commit; a node tells the others of a switch.
    CHECK(btin::value_at(named(messages, "of them to registers of switches"), n) >= 3 * switches);
    CHECK(btin::value_at(named(messages, "messages of nodes"), n) >=
          btin::value_at(named(messages, "of them to registers of switches"), n) + n - 1);
    CHECK(btin::value_at(data.panels[4].series[0], n) > 0);
  }
}

TEST_CASE("networks are measured once, and the same on any number of threads",
          "[experiment][btin]") {
  Setting s;
  unsigned measured = 0;
  s.setting.progress = [&](const std::string&) { ++measured; };
  btin::BtinPoints points;
  const btin::BtinSystem system{20, 40};
  const auto& two = points.at(system, s.setting);
  CHECK(measured == 2);
  CHECK(&points.at(system, s.setting) == &two);
  CHECK(measured == 2);
  btin::BtinPoints others;
  s.setting.threads = 1;
  const auto& one = others.at(system, s.setting);
  for (std::size_t size = 0; size < one.sizes.size(); ++size)
    for (std::size_t i = 0; i < 2; ++i)
      for (const btin::Way& way : btin::measured_ways())
        CHECK(one.samples[size][i].measured.at(way.name).latency_us ==
              two.samples[size][i].measured.at(way.name).latency_us);
}
