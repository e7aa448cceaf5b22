// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <regex>

#include "figures/gnuplot.hpp"
#include "muster/figures/figure.hpp"
#include "muster/run/golden_engine.hpp"
#include "systems/preempt/figures/preempt_congestion.hpp"
#include "systems/preempt/figures/preempt_rounds.hpp"

using namespace muster;

using Catch::Matchers::Contains;

TEST_CASE("figure pre-11 draws the four equations over size and congestion",
          "[experiment][preempt]") {
  const figures::FigureData data = figures::all_figures().find("pre-11")[0]->measure({});
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 4);
  for (const figures::Panel& panel : data.panels) REQUIRE(panel.series.size() == 4);
  const auto at = [&](std::size_t panel, std::size_t curve, double x) {
    for (const figures::Point& point : data.panels[panel].series[curve].points)
      if (point.x == x) return *point.y;
    FAIL("no point at " << x);
    return 0.0;
  };
  CHECK(at(0, 0, 9) == Approx(614.7).margin(0.05));
  CHECK(at(1, 1, 100) == Approx(688.8).margin(0.05));
  CHECK(at(2, 2, 10) == Approx(623.2).margin(0.05));  // 10 x 10: L = 9
  CHECK(at(1, 3, 100) == Approx(1892));
  CHECK(at(3, 0, 0) == at(3, 0, 1000));
  CHECK(at(3, 3, 1000) == at(0, 3, 19) + 36 * 0.8 * 900);
  CHECK(data.panels[0].series[0].points.front().x == 4);
  CHECK(data.panels[0].series[0].points.back().x == 20);
  CHECK_THAT(figures::figure_to_text("pre-11", data), Contains("614.7") && Contains("1892.0"));
}

namespace {

figures::FigureSetting setting() {
  static const auto engine = run::make_golden_engine();
  figures::FigureSetting s;
  s.engine = engine;
  s.repetitions = 2;
  s.threads = 2;
  return s;
}

double last(const figures::Series& series) { return *series.points.back().y; }

}  // namespace

// The figures themselves on small systems; docs/systems/preempt-figures.md has them in full.
TEST_CASE("rounds of a group: the first is the longest, a start-up is added to all",
          "[experiment][preempt]") {
  preempt::PreemptRounds figure("pre-12", "small", {{{.size = 30}, {5, 15, 30}}},
                                {{"tree [4]", "tree"}, {"star", "star"}});
  const figures::FigureData data = figure.measure(setting());
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 4);  // the RTL's hops, then T_b = 16
  for (const std::size_t s : {0u, 1u, 2u, 3u, 4u})
    CHECK(last(data.panels[2].series[s]) > last(data.panels[0].series[s]));
  const auto& slow = data.panels[1].series;
  const auto& fast = data.panels[0].series;
  REQUIRE(fast.size() == 5);
  for (std::size_t s = 0; s < fast.size(); ++s)
    for (std::size_t i = 0; i < fast[s].points.size(); ++i)
      CHECK(*slow[s].points[i].y == Approx(*fast[s].points[i].y + 900));
  for (std::size_t i = 0; i < 3; ++i) CHECK(*fast[0].points[i].y > *fast[1].points[i].y);
  CHECK(last(fast[3]) > last(fast[1]));  // star
  CHECK(last(fast[4]) < last(fast[1]));  // Theorem 2
}

TEST_CASE("congestion: packets rise with its duration, what preempts or never queues does not",
          "[experiment][preempt]") {
  preempt::PreemptCongestion figure("pre-15", "small", {.mesh = true, .size = 5}, {8},
                                    {{"bsr-1", "bsr-1"},
                                     {"bsr-2", "bsr-2"},
                                     {"btin", "btin"},
                                     {"tree", "tree"},
                                     {"bsr-3", "bsr-3"}});
  const figures::FigureData data = figure.measure(setting());
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 4);
  const auto& curves = data.panels[0].series;
  const auto rise = [](const figures::Series& s) { return last(s) - *s.points.front().y; };
  // A request, and where the channel was just given back the guard, in one message after another.
  for (const std::size_t preempting : {0u, 1u}) {
    CHECK(rise(curves[preempting]) < 40);
    CHECK(rise(curves[preempting]) < 0.1 * last(curves[preempting]));  // "almost constant"
  }
  for (const std::string& note : {data.notes[0], data.notes[1]}) {
    CAPTURE(note);
    CHECK(std::regex_search(note, std::regex("bsr-1 .* \\([0-9]+ channels cut\\); bsr-2 .* "
                                             "\\([0-9]+ channels cut\\)")));
  }
  CHECK(rise(curves[2]) == 0);
  CHECK(rise(curves[3]) > 500);
  // The same switch except for what it may cut: with nothing to cut it waits for the data, so the
  // others are flat because they preempt, and not because nothing stands in their way.
  CHECK(rise(curves[4]) > 500);
  CHECK(figures::gnuplot_script(data).find("set yrange [0:*]") != std::string::npos);
}

TEST_CASE("the figures over rounds, congestion and load are there", "[experiment][preempt]") {
  for (const char* id : {"pre-12", "pre-13", "pre-14", "pre-15", "pre-tb", "pre-units", "pre-load"})
    CHECK(figures::all_figures().find(id).size() == 1);
}
