// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "muster/figures/figure.hpp"
#include "muster/run/golden_engine.hpp"
#include "systems/nic/figures/nic_points.hpp"

using namespace muster;

TEST_CASE("collective NIC barriers send half of the packets and are the fastest of the levels",
          "[experiment][nic]") {
  const auto engine = run::make_golden_engine();
  figures::FigureSetting setting;
  setting.engine = engine;
  setting.repetitions = 2;
  const figures::FigureData data = figures::all_figures().find("nic-7")[0]->measure(setting);
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 3);
  for (std::size_t p = 0; p < 2; ++p) {
    REQUIRE(data.panels[p].series.size() == 6);
    for (const figures::Series& series : data.panels[p].series) CHECK(series.points.size() == 7);
  }
  const auto& us = data.panels[0].series;
  const auto& packets = data.panels[1].series;
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(*us[0].points[i].y < *us[2].points[i].y);
    if (i != 0) CHECK(*us[2].points[i].y < *us[3].points[i].y);  // of two, both cross the bus twice
    CHECK(2 * *packets[0].points[i].y == *packets[2].points[i].y);
  }
  CHECK(*us[0].points[6].y == Approx(*us[1].points[6].y).epsilon(0.02));  // powers of two
  const auto& pairwise = data.panels[2].series.at(0).points;
  REQUIRE(pairwise.size() == 4);  // 3, 5, 6, 7
  for (const figures::Point& point : pairwise) {
    const auto i = static_cast<std::size_t>(point.x) - 2;
    CHECK(*point.y == *us[1].points[i].y - *us[0].points[i].y);
  }
  // The whole cluster, as printed: NIC within 10 %, host, which has no constants of its own, 25 %.
  REQUIRE(data.panels[0].printed.size() == 2);
  for (const figures::Printed& printed : data.panels[0].printed)
    for (const figures::Series& series : us)
      if (series.name == printed.measured_by) {
        CAPTURE(series.name);
        REQUIRE(series.points.back().x == printed.x);
        CHECK(*series.points.back().y ==
              Approx(printed.y).epsilon(series.name == "NIC-DS" ? 0.1 : 0.25));
      }
}

TEST_CASE("the Quadrics figure has the equation's points, and dissemination on the line between",
          "[experiment][nic]") {
  const auto engine = run::make_golden_engine();
  figures::FigureSetting setting;
  setting.engine = engine;
  setting.repetitions = 2;
  const figures::FigureData data = figures::all_figures().find("nic-8")[0]->measure(setting);
  CHECK(data.violations == 0);
  const auto& us = data.panels[0].series;
  REQUIRE(us.size() == 6);
  CHECK(*us[0].points[0].y == Approx(1.25).epsilon(0.005));
  CHECK(*us[0].points[2].y == Approx(1.25 + 2.32).epsilon(0.005));
  // A further level of switches.
  CHECK(*us[0].points[6].y == Approx(1.25 + 2 * 2.32).epsilon(0.04));
  CHECK(us[4].name == "rdma-GB");
  CHECK(us[5].name == "broadcast");
  for (std::size_t i = 0; i < 7; ++i) CHECK(*us[5].points[i].y > 0.0);
  CHECK(data.panels[1].series.size() == 5);  // no NIC sends the switches' messages
}

TEST_CASE("host-based barriers are slower by the program's time, and the factor rises with it",
          "[experiment][nic]") {
  const auto engine = run::make_golden_engine();
  figures::FigureSetting setting;
  setting.engine = engine;
  setting.repetitions = 1;
  const figures::FigureData data = figures::all_figures().find("nic-host")[0]->measure(setting);
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 5);
  const std::vector<figures::Series>& met = data.panels[4].series;
  REQUIRE(met.size() == 4);
  for (std::size_t p = 0; p < 4; ++p) {
    const figures::Panel& panel = data.panels[p];
    CAPTURE(panel.name);
    const double printed = *panel.series.back().points[0].y;
    REQUIRE(met[p].points.size() == panel.series.size() - 1);
    REQUIRE(panel.series.size() == (panel.name == "d" ? 2 : 4));
    for (std::size_t s = 0; s + 1 < panel.series.size(); ++s) {
      const auto& points = panel.series[s].points;
      REQUIRE(points.size() == 6);
      for (std::size_t i = 1; i < points.size(); ++i) CHECK(*points[i].y > *points[i - 1].y);
      // The last curve has the fewest passes, panel e the fewest first.
      const figures::Point& point = met[p].points[panel.series.size() - 2 - s];
      const bool between = *points.front().y <= printed && printed <= *points.back().y;
      REQUIRE(point.y.has_value() == between);
      if (!between) continue;
      const auto after = std::find_if(points.begin(), points.end(),
                                      [&](const figures::Point& q) { return q.x >= *point.y; });
      CHECK(*after->y >= printed);
      CHECK(*(after == points.begin() ? after : after - 1)->y <= printed);
    }
  }
  CHECK(data.attachments.empty());
}

TEST_CASE("networks of the NIC figures hold their members", "[experiment][nic]") {
  CHECK(nic::myrinet(16, 16).switches() == 1);
  CHECK(nic::myrinet(17, 16).nodes() == 24);
  CHECK(nic::myrinet(128, 16).nodes() == 128);
  CHECK(nic::myrinet(129, 16).nodes() == 512);
  CHECK(nic::myrinet(8, 8).switches() == 1);
  CHECK(nic::myrinet(16, 8).nodes() == 16);
  CHECK(nic::quadrics(4).nodes() == 4);
  CHECK(nic::quadrics(5).nodes() == 16);
}
