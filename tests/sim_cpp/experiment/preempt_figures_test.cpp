// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "experiment/figure.hpp"

using namespace muster::experiment;
using Catch::Matchers::Contains;

TEST_CASE("figure pre-11 draws the four equations over size and congestion",
          "[experiment][preempt]") {
  const FigureData data = all_figures().find("pre-11")[0]->measure({});
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 4);
  for (const Panel& panel : data.panels) REQUIRE(panel.series.size() == 4);
  const auto at = [&](std::size_t panel, std::size_t curve, double x) {
    for (const Point& point : data.panels[panel].series[curve].points)
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
  CHECK_THAT(figure_to_text("pre-11", data), Contains("614.7") && Contains("1892.0"));
}
