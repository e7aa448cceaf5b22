// SPDX-License-Identifier: Apache-2.0
#include "experiment/btin_figures.hpp"

#include <catch2/catch.hpp>

#include "experiment/startup_counter.hpp"
#include "golden/golden_engine.hpp"

using namespace muster;
using namespace muster::experiment;
using Catch::Matchers::Contains;

namespace {

struct Setting {
  Setting() {
    setting.engine = engine.get();
    setting.repetitions = 2;
    setting.threads = 2;
  }
  std::unique_ptr<network::BankFactory> engine = golden::make_golden_engine();
  FigureSetting setting;
};

const Series& named(const Panel& panel, const std::string& name) {
  for (const Series& series : panel.series)
    if (series.name == name) return series;
  FAIL("no curve " << name);
  return panel.series.front();
}

FigureData figure(const std::string& id) {
  Setting s;
  FigureData data = all_figures().find(id)[0]->measure(s.setting);
  CHECK(data.violations == 0);
  return data;
}

}  // namespace

TEST_CASE("figure btin-6 measures what the formula says of BTIN, at all sizes",
          "[experiment][btin]") {
  const FigureData data = figure("btin-6");
  REQUIRE(data.panels.size() == 3);
  CHECK(named(data.panels[0], "btin, measured").points.size() == 8);
  CHECK(named(data.panels[1], "btin, measured").points.size() == 10);
  for (const Panel& panel : {data.panels[0], data.panels[1]}) {
    const Series& measured = named(panel, "btin, measured");
    const Series& formula = named(panel, "btin, formula");
    for (std::size_t i = 0; i < measured.points.size(); ++i)
      CHECK(*measured.points[i].y == Approx(*formula.points[i].y));
    const double n = measured.points.back().x;
    CHECK(value_at(named(panel, "unicast, measured"), n) > 2 * value_at(measured, n));
    CHECK(value_at(named(panel, "multicast, one-port root node"), n) >
          value_at(named(panel, "multicast, busiest root port"), n));
  }
  CHECK_THAT(figure_to_text("btin-6", data), Contains("printed 120.5, measured"));
}

TEST_CASE("figure btin-7 counts hops as the plans do", "[experiment][btin]") {
  const FigureData data = figure("btin-7");
  REQUIRE(data.panels.size() == 3);
  for (const Point& p : data.panels[2].series[0].points) CHECK(*p.y > 1.0);
  CHECK(data.panels[2].printed.size() == 2);
}

TEST_CASE("figure btin-8 has both connectivities that can be built", "[experiment][btin]") {
  const FigureData data = figure("btin-8");
  REQUIRE(data.panels.size() == 2);
  CHECK(value_at(named(data.panels[1], "f = 70 %, fullest branch of the tree"), 256) > 1.5);
  CHECK(value_at(named(data.panels[1], "f = 90 %, one-port root node"), 256) > 5);
  CHECK_THAT(figure_to_text("btin-8", data), Contains("f = 50 % cannot be built"));
}

TEST_CASE("figure btin-t1 has the values of Theorem 1", "[experiment][btin]") {
  const FigureData data = figure("btin-t1");
  CHECK(value_at(named(data.panels[0], "log_b n"), 256) == Approx(12.0).margin(0.05));
  CHECK(value_at(named(data.panels[0], "log_b q"), 256) == Approx(9.4).margin(0.05));
  CHECK(value_at(named(data.panels[1], "1 + log_b ((q - 1) / fk)"), 1024) ==
        Approx(9.5).margin(0.05));
}

TEST_CASE("Table 2 counts the start-ups of every scheme", "[experiment][btin]") {
  const FigureData data = figure("btin-t2");
  for (const double n : {2.0, 64.0, 256.0}) {
    CHECK(value_at(named(data.panels[0], "btin"), n) == n);
    CHECK(value_at(named(data.panels[1], "btin"), n) == 1);
    CHECK(value_at(named(data.panels[0], "unicast"), n) == 2 * (n - 1));
    CHECK(value_at(named(data.panels[1], "unicast"), n) == n - 1);
  }
  CHECK_THAT(figure_to_text("btin-t2", data), Contains("messages of up to 3 flits"));
}

TEST_CASE("networks are measured once, and the same on any number of threads",
          "[experiment][btin]") {
  Setting s;
  unsigned measured = 0;
  s.setting.progress = [&](const std::string&) { ++measured; };
  BtinPoints points;
  const BtinSystem system{20, 40};
  const auto& two = points.at(system, s.setting);
  CHECK(measured == 2);
  CHECK(&points.at(system, s.setting) == &two);
  CHECK(measured == 2);
  BtinPoints others;
  s.setting.threads = 1;
  const auto& one = others.at(system, s.setting);
  for (std::size_t size = 0; size < one.sizes.size(); ++size)
    for (std::size_t i = 0; i < 2; ++i)
      for (const std::string& scheme : measured_schemes())
        CHECK(one.samples[size][i].measured.at(scheme).latency_us ==
              two.samples[size][i].measured.at(scheme).latency_us);
}
