// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/figures/figure.hpp"
#include "muster/run/golden_engine.hpp"
#include "systems/esc/figures/esc_points.hpp"

using namespace muster;
using Catch::Matchers::Contains;

namespace {

struct Setting {
  Setting() {
    setting.engine = engine;
    setting.repetitions = 1;
    setting.threads = 2;
  }
  std::shared_ptr<const fabric::BankFactory> engine = run::make_golden_engine();
  figures::FigureSetting setting;
};

}  // namespace

TEST_CASE("the best of several curves has the least point at each x", "[esc]") {
  const std::vector<figures::Series> curves = {
      {"K = 1", {{0.1, 3.0, 0.5}, {0.2, std::nullopt, std::nullopt}, {0.3, 9.0, 0.1}}},
      {"K = 4", {{0.1, 4.0, 0.2}, {0.2, 5.0, 0.3}, {0.3, 6.0, 0.4}}}};
  const figures::Series best = esc::least_of("best", curves);
  CHECK(best.name == "best");
  REQUIRE(best.points.size() == 3);
  CHECK(best.points[0].y == 3.0);
  CHECK(best.points[0].half_width == 0.5);
  CHECK(best.points[1].y == 5.0);
  CHECK(best.points[2].y == 6.0);
  CHECK(best.points[2].half_width == 0.4);
}

TEST_CASE("a point whose gamma changes is not one whose gamma does not", "[esc]") {
  Setting s;
  esc::EscPoints points;
  esc::Spec spec = esc::paper_spec("hot-section:auto");
  spec.pes = 16;
  spec.mean = 200;
  spec.rate = 0.3;
  const auto steady = points.at(spec, s.setting).digest;
  spec.rate_change = {.cycle = 190, .rate = 0.8};
  CHECK(points.at(spec, s.setting).digest != steady);
  spec.rate_change.reset();
  CHECK(points.at(spec, s.setting).digest == steady);
}

TEST_CASE("figure esc-5 measures what the paper prints of it", "[experiment][esc]") {
  Setting s;
  s.setting.repetitions = 3;
  const figures::FigureData data = figures::all_figures().find("esc-5")[0]->measure(s.setting);
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 4);
  unsigned compared = 0;
  for (const figures::Panel& panel : data.panels) {
    REQUIRE(panel.series.size() == 2);
    CHECK(panel.series[0].name == "bypass");
    CHECK(panel.series[0].points.size() == 10);
    for (const figures::Printed& printed : panel.printed)
      for (const figures::Point& point : panel.series[0].points)
        if (point.x == printed.x) {
          CAPTURE(panel.title);
          CHECK(*point.y == Approx(printed.y).epsilon(0.1));
          ++compared;
        }
  }
  CHECK(compared == 3);  // mu_SYN, mu_BG(HS), the active session
  CHECK_THAT(figures::figure_to_text("esc-5", data), Contains("measured"));
}

TEST_CASE("a figure says how many sessions were run", "[experiment][esc]") {
  Setting s;
  for (const char* id : {"esc-5", "esc-6"}) {
    CAPTURE(id);
    s.setting.repetitions = 1;
    CHECK(figures::all_figures().find(id)[0]->measure(s.setting).parameters.at("sessions") ==
          "1 a point");
  }
  esc::Spec spec = esc::paper_spec("bypass");
  CHECK(esc::parameters(spec, s.setting).at("sessions") == "1 a point");
  s.setting.repetitions.reset();
  CHECK(esc::parameters(spec, s.setting).at("sessions") == "125 a point");
}

TEST_CASE("figure esc-6 generates every synchronization message once", "[experiment][esc]") {
  Setting s;
  s.setting.repetitions = 3;
  const figures::FigureData data = figures::all_figures().find("esc-6")[0]->measure(s.setting);
  double syn = 0, hot = 0;
  for (const figures::Point& p : data.panels[0].series[0].points) syn += *p.y;
  for (const figures::Point& p : data.panels[0].series[1].points) hot += *p.y;
  CHECK(syn == Approx(255));
  CHECK(hot == Approx(160).epsilon(0.25));  // gamma times the length of the session
}

TEST_CASE("figures with the same points measure them once", "[experiment][esc]") {
  Setting s;
  unsigned reports = 0;  // of progress: some for each measurement, none without one
  s.setting.progress = [&](const std::string&) { ++reports; };
  esc::EscPoints points;
  esc::Spec spec = esc::paper_spec("bypass");
  spec.mean = 200;
  points.at(spec, s.setting);
  const unsigned once = reports;
  CHECK(once != 0);
  points.at(spec, s.setting);
  CHECK(reports == once);
  spec.sigma = 20;
  points.at(spec, s.setting);
  s.setting.seed = 2;
  points.at(spec, s.setting);
  CHECK(reports == 3 * once);
}

TEST_CASE("the saturation tree is drawn as a map and an animation", "[experiment][esc]") {
  Setting s;
  const figures::FigureData data = figures::all_figures().find("esc-tree")[0]->measure(s.setting);
  REQUIRE(data.attachments.size() == 2);
  CHECK(data.attachments[0].name == "map.svg");
  CHECK_THAT(data.attachments[0].content, Contains("<svg") && Contains("stage 3"));
  const std::string& html = data.attachments[1].content;
  CHECK_THAT(html, Contains("default-src 'none'"));  // nothing from elsewhere
  // Both policies side by side.
  const std::string block = "<script type=\"application/x-muster\">";
  const auto first = html.find(block);
  REQUIRE(first != std::string::npos);
  CHECK(html.find(block, first + 1) != std::string::npos);
}

TEST_CASE("figure esc-faults begins with all pairs connected, with one fault too",
          "[experiment][esc]") {
  Setting s;
  s.setting.repetitions = 20;
  const figures::FigureData data = figures::all_figures().find("esc-faults")[0]->measure(s.setting);
  CHECK(data.violations == 0);
  REQUIRE(data.panels.size() == 4);
  for (const figures::Panel& panel : data.panels) {
    REQUIRE(panel.series.size() == 2);
    CHECK(panel.series[0].points[0].y == 100.0);
    CHECK(panel.series[0].points[1].y == 100.0);
    CHECK(panel.series[0].points.back().y < 100.0);
    CHECK(panel.series[1].points[1].y < 100.0);
  }
}
