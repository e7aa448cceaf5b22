// SPDX-License-Identifier: Apache-2.0
#include "app/plot/drawing.hpp"

#include <catch2/catch.hpp>

#include "figures/gnuplot.hpp"
#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using namespace muster::app::plot;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::vector<Curve> two_curves() {
  return {{"it's", {{0.0, 2.0, 0.5, 1.5, 2.5, 2, 1}, {0.5, 3.0, {}, 3.0, 3.0, 1}}},
          {"other", {{0.5, 0.0, {}, 0.0, 0.0, 1}}}};
}

Drawing a_drawing() {
  return {{"parameters.load", "result.latency_us.mean", {}},
          "two\nlines",
          "muster plot x",
          false,
          false};
}

}  // namespace

TEST_CASE("a curve is a block of the .dat file", "[plot][drawing]") {
  CHECK(curves_to_dat(two_curves(), a_drawing()) ==
        "# muster plot x\n"
        "# two lines\n"
        "# columns: load (share of the route bound); latency, mean (us): mean, half-width of its "
        "95 % "
        "interval, least, greatest; rows; saturated ones\n"
        "# it's\n"
        "0 2 0.5 1.5 2.5 2 1\n"
        "0.5 3 NaN 3 3 1 0\n"
        "\n\n"
        "# other\n"
        "0.5 0 NaN 0 0 1 0\n");
}

TEST_CASE("gnuplot draws the curves with their names, axes and intervals", "[plot][drawing]") {
  const figures::FigureData figure = figure_of(two_curves(), a_drawing());
  // A point of one row must not hide the intervals of the others.
  CHECK(figure.panels[0].series[0].points[1].half_width == 0.0);
  CHECK_FALSE(figure.panels[0].series[1].points[0].half_width);
  const std::string svg = figures::run_gnuplot(figures::gnuplot_script(figure));
  for (const char* text :
       {"two lines", "it's", "other", "load (share of the route bound)", "latency, mean (us)"})
    CHECK_THAT(svg, Contains(text));
}

TEST_CASE("points with saturated rows are in rings", "[plot][drawing]") {
  auto curves = two_curves();
  const figures::FigureData figure = figure_of(curves, a_drawing());
  const auto& series = figure.panels[0].series;
  REQUIRE(series.size() == 3);
  CHECK(series[2].name == "saturated");
  CHECK(series[2].rings);
  REQUIRE(series[2].points.size() == 1);
  CHECK(series[2].points[0].x == 0.0);
  CHECK(series[2].points[0].y == 2.0);
  CHECK_THAT(figures::gnuplot_script(figure),
             Contains("$p0s2 with points title 'saturated' lc rgb 'black' pt 6"));
  CHECK_THAT(figures::run_gnuplot(figures::gnuplot_script(figure)), Contains("saturated"));
  curves[0].points[0].saturated = 0;
  CHECK(figure_of(curves, a_drawing()).panels[0].series.size() == 2);
}

TEST_CASE("a title that is too long for the picture is cut", "[plot][drawing]") {
  Drawing drawing = a_drawing();
  drawing.title = std::string(100, 'x');
  CHECK(figure_of(two_curves(), drawing).title == std::string(70, 'x') + "...");
}

TEST_CASE("what has no logarithm is refused", "[plot][drawing]") {
  Drawing drawing = a_drawing();
  drawing.log_x = true;
  CHECK_THAT(
      test::refusal([&] { figure_of(two_curves(), drawing); }),
      StartsWith("--log-x: x = 0 has no logarithm; leave it out with --where 'load>0', or "));
  drawing.log_x = false;
  drawing.log_y = true;
  CHECK_THAT(test::refusal([&] { figure_of(two_curves(), drawing); }),
             StartsWith("--log-y: y = 0 at x = 0.5 has no logarithm"));
}
