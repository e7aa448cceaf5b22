// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "muster/figures/figure.hpp"
#include "muster/run/golden_engine.hpp"
#include "systems/nic/figures/nic_points.hpp"

using namespace muster;

namespace {

figures::FigureData measured(const char* id, std::uint32_t repetitions) {
  figures::FigureSetting setting;
  setting.engine = run::make_golden_engine();
  setting.repetitions = repetitions;
  return figures::all_figures().find(id)[0]->measure(setting);
}

}  // namespace

TEST_CASE("collective NIC barriers send half of the packets and are the fastest of the levels",
          "[experiment][nic]") {
  const figures::FigureData data = measured("nic-7", 2);
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

TEST_CASE("the Quadrics figure is near what is printed of NICs, and has all levels",
          "[experiment][nic]") {
  const figures::FigureData data = measured("nic-8", 2);
  CHECK(data.violations == 0);
  const auto& us = data.panels[0].series;
  REQUIRE(us.size() == 6);
  // The profile has the equation's values at two and four members; eight are printed.
  const auto& printed = data.panels[0].printed;
  REQUIRE(printed.size() == 3);
  CHECK(printed[0].measured_by == "NIC-DS");
  REQUIRE(us[0].points.back().x == printed[0].x);
  CHECK(*us[0].points.back().y == Approx(printed[0].y).epsilon(0.1));
  CHECK(us[4].name == "rdma-GB");
  CHECK(us[5].name == "broadcast");
  for (std::size_t i = 0; i < 7; ++i) CHECK(*us[5].points[i].y > 0.0);
  CHECK(data.panels[1].series.size() == 5);  // no NIC sends the switches' messages
}

TEST_CASE("host-based barriers are slower by the program's time, and the factor rises with it",
          "[experiment][nic]") {
  const figures::FigureData data = measured("nic-host", 1);
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

TEST_CASE("a NIC barrier is as much shorter as the part of it that takes no time",
          "[experiment][nic]") {
  const figures::FigureData data = measured("nic-parts", 1);
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 3);
  const auto at = [&](std::size_t panel, std::size_t series, double x) {
    for (const figures::Point& point : data.panels[panel].series[series].points)
      if (point.x == x) return *point.y;
    FAIL("no point");
    return 0.0;
  };
  const run::Profile old = run::find_profile("lanai9"), elan = run::find_profile("elan3");
  for (const double n : {2.0, 16.0})  // a doorbell and an event
    CHECK(at(0, 1, n) - at(0, 0, n) == Approx(2 * old.bus * old.clock_ns / 1000.0).epsilon(0.01));
  const double passes = 2 * elan.interface_pass * elan.clock_ns / 1000.0;
  for (const double n : {2.0, 8.0}) {
    CHECK(at(1, 0, n) - at(1, 2, n) == Approx(passes).epsilon(0.05));  // those of the release
    CHECK(at(1, 0, n) > at(1, 1, n));
    CHECK(at(1, 2, n) > at(1, 3, n));
  }
  // Of seven a trigger, as much as two passes and a message.
  CHECK(at(2, 0, 7) > passes);
  CHECK(at(2, 1, 7) < 0.1 * passes);
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
