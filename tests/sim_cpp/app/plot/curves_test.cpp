// SPDX-License-Identifier: Apache-2.0
#include "app/plot/curves.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/app/sweep/refusal.hpp"

using namespace muster;
using namespace muster::app::plot;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

const Axes kAxes{"parameters.load", "result.us", {"parameters.scheme"}};

Fields curve_row(const char* scheme, double load, int seed, const Json& us) {
  Fields row{{"parameters.scheme", scheme}, {"parameters.load", load}, {"seed", seed}};
  if (!us.is_null()) row["result.us"] = us;
  return row;
}

}  // namespace

TEST_CASE("a point is the mean over seeds with its 95 % interval", "[plot][curves]") {
  const auto curves =
      curves_of({curve_row("b", 0.2, 1, 4), curve_row("a", 0.5, 1, 9), curve_row("b", 0.1, 1, 1),
                 curve_row("b", 0.1, 2, 2), curve_row("b", 0.1, 3, 3)},
                kAxes);
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].name == "b");
  CHECK(curves[1].name == "a");
  REQUIRE(curves[0].points.size() == 2);
  const CurvePoint& point = curves[0].points[0];
  CHECK(point.x == 0.1);
  CHECK(point.mean == Approx(2.0));
  CHECK(point.least == 1.0);
  CHECK(point.greatest == 3.0);
  CHECK(point.rows == 3);
  // t of 2 degrees of freedom is 4.3027; the standard error 1 / sqrt(3).
  CHECK(*point.half_width == Approx(4.3027 / 1.7320508).epsilon(0.001));
  CHECK_FALSE(curves[0].points[1].half_width);
}

TEST_CASE("seeds of networks are averaged over, other parameters are not", "[plot][curves]") {
  auto one = curve_row("a", 0.1, 1, 1), two = curve_row("a", 0.1, 1, 3);
  one["parameters.network.seed"] = 1;
  two["parameters.network.seed"] = 2;
  CHECK(curves_of({one, two}, kAxes)[0].points[0].mean == 2.0);
  two["parameters.network.width"] = 8;
  const std::string refused =
      "rows at x = 0.1 of curve 'a' differ in 'network.width', 8 and none; add --by network.width, "
      "or choose one with --where network.width=8";
  CHECK(test::refusal([&] { curves_of({one, two}, kAxes); }) == refused);
  CHECK(test::refusal([&] { curves_of({two, one}, kAxes); }) == refused);
  two["parameters.a"] = "x y";
  CHECK_THAT(test::refusal([&] {
               curves_of({two, one}, kAxes);
             }),
             EndsWith("or choose one with --where 'a=x y'"));
  two.erase("parameters.a");
  Axes by = kAxes;
  by.by.push_back("parameters.network.width");
  const auto curves = curves_of({one, two}, by);
  CHECK(curves[0].name == "a, network.width none");
  CHECK(curves[1].name == "a, network.width 8");
}

TEST_CASE("rows without the field are left out", "[plot][curves]") {
  const auto curves =
      curves_of({curve_row("a", 0.1, 1, nullptr), curve_row("a", 0.1, 2, 3)}, kAxes);
  CHECK(curves[0].points[0].rows == 1);
  CHECK_THAT(test::refusal([] { curves_of({curve_row("a", 0.1, 1, nullptr)}, kAxes); }),
             StartsWith("--x 'load', --y 'us': no row has both fields"));
}

TEST_CASE("a truth value is drawn as its share", "[plot][curves]") {
  const auto curves =
      curves_of({curve_row("a", 0.1, 1, true), curve_row("a", 0.1, 2, false)}, kAxes);
  CHECK(curves[0].points[0].mean == 0.5);
}

TEST_CASE("a row that is a mean over seeds has its own interval, if it stands alone",
          "[plot][curves]") {
  Axes axes = kAxes;
  axes.y = "result.us.mean.mean";
  const auto row = [](int seed, double mean) {
    Fields fields = curve_row("a", 0.1, seed, nullptr);
    fields["result.us.mean.mean"] = mean;
    fields["result.us.mean.half_width"] = 0.75;
    return fields;
  };
  const CurvePoint alone = curves_of({row(1, 5)}, axes)[0].points[0];
  CHECK(alone.half_width == 0.75);
  CHECK(alone.rows == 1);
  // The mean of two rows has an interval over these two: t of 1 degree of freedom is 12.706.
  CHECK(*curves_of({row(1, 5), row(2, 7)}, axes)[0].points[0].half_width ==
        Approx(12.706).epsilon(0.001));
  Fields without = row(1, 5);
  without.erase("result.us.mean.half_width");
  CHECK_FALSE(curves_of({without}, axes)[0].points[0].half_width);
  // The half-width is that of the mean, of no other field.
  axes.y = "result.us.mean.half_width";
  CHECK_FALSE(curves_of({row(1, 5)}, axes)[0].points[0].half_width);
}

TEST_CASE("saturated rows of a point are counted", "[plot][curves]") {
  Fields once = curve_row("a", 0.1, 1, 1), not_at_all = curve_row("a", 0.1, 2, 2),
         of_repeats = curve_row("a", 0.1, 3, 3), unknown = curve_row("a", 0.1, 4, 4);
  once["result.saturated"] = true;
  not_at_all["result.saturated"] = false;
  of_repeats["result.saturated"] = 3;  // runs
  CHECK(curves_of({once, not_at_all, of_repeats, unknown}, kAxes)[0].points[0].saturated == 2);
  of_repeats["result.saturated"] = 0;
  CHECK(curves_of({not_at_all, of_repeats, unknown}, kAxes)[0].points[0].saturated == 0);
}

TEST_CASE("a text is no axis", "[plot][curves]") {
  CHECK_THAT(test::refusal([] { curves_of({curve_row("a", 0.1, 1, "x")}, kAxes); }),
             StartsWith("--y 'us': is the text 'x'; choose a number"));
}

TEST_CASE("without --by there is one curve", "[plot][curves]") {
  Axes axes = kAxes;
  axes.by.clear();
  CHECK(curves_of({curve_row("a", 0.1, 1, 1)}, axes)[0].name == "us");
}
