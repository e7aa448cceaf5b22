// SPDX-License-Identifier: Apache-2.0
#include "muster/figures/figure.hpp"

#include <catch2/catch.hpp>

#include "figures/gnuplot.hpp"
#include "figures/printed.hpp"
#include "muster/core/error.hpp"
#include "muster/run/golden_engine.hpp"
#include "support/valid_json.hpp"

using namespace muster;
using Catch::Matchers::Contains;

namespace {

figures::FigureData sample() {
  figures::FigureData data;
  data.title = "A 'quoted' title";
  data.notes = {"a note"};
  figures::Panel panel{.name = "a",
                       .title = "delay",
                       .x_label = "gamma",
                       .y_label = "cycles",
                       .log2_x = false,
                       .series = {},
                       .printed = {{"bypass, paper", 0.5, 116, "bypass"}}};
  panel.series.push_back({"bypass", {{0.1, {}, {}}, {0.5, 117.25, 1.5}}});
  panel.series.push_back({"it's other", {{0.1, 3.0, {}}}});
  data.panels.push_back(panel);
  return data;
}

struct Nothing final : figures::Figure {
  std::string id() const override { return "nothing"; }
  std::string about() const override { return "no curve"; }
  figures::FigureData measure(const figures::FigureSetting&) override { return {}; }
};

}  // namespace

TEST_CASE("what a paper prints is found by its row, and nothing else is", "[experiment]") {
  CHECK(figures::printed_value("esc-5b") == 151);
  CHECK_THROWS_WITH(figures::printed_value("esc-5"), Contains("no row esc-5 with a number"));
  CHECK_THROWS_WITH(figures::printed_value("pre-11"), Contains("no row pre-11"));  // curves
}

TEST_CASE("the CSV of a figure has a row for every point and printed value", "[experiment]") {
  CHECK(figures::figure_to_csv(sample()) ==
        "panel,series,x,y,half_width\n"
        "a,\"bypass\",0.1,,\n"
        "a,\"bypass\",0.5,117.25,1.5\n"
        "a,\"it's other\",0.1,3,\n"
        "a,\"bypass, paper\",0.5,116,\n");
}

TEST_CASE("a figure can be drawn again from its JSON", "[experiment]") {
  const auto engine = run::make_golden_engine();
  figures::FigureSetting setting;
  setting.engine = engine;
  setting.seed = 77;
  const auto json = test::valid_json(
      figures::figure_to_json("x-1", sample(), setting, {"muster figure x-1", "9", 77}));
  CHECK(json["schema"] == "muster-figure-1");
  CHECK(json["figure"] == "x-1");
  CHECK(json["command"] == "muster figure x-1");
  CHECK(json["seed"] == 77);
  CHECK(json["engine"] == "golden");
  const auto& panel = json["panels"][0];
  CHECK(panel["y_label"] == "cycles");
  CHECK(panel["series"][0]["points"][0]["y"].is_null());
  CHECK(panel["series"][0]["points"][1]["half_width"] == 1.5);
  CHECK(panel["printed"][0]["y"] == 116);
}

TEST_CASE("printed values stand beside measured ones", "[experiment]") {
  CHECK_THAT(
      figures::figure_to_text("x-1", sample()),
      Contains("printed 116, measured 117.2 +- 1.5") || Contains("printed 116, measured 117.3"));
  CHECK_THAT(figures::figure_to_text("x-1", sample()), Contains("a note"));
}

TEST_CASE("what a paper prints is marked in the panel that measures it", "[experiment]") {
  figures::FigureData data;
  for (const char* name : {"a", "b", "c", "d"}) {
    figures::Panel panel;
    panel.name = name;
    panel.series = {{"isolated-bg", {{0.5, 1.0, {}}}}, {"bypass", {{0.5, 100.0, {}}}}};
    data.panels.push_back(panel);
  }
  figures::mark_printed("esc-5", data);
  REQUIRE(data.panels[0].printed.size() == 1);
  CHECK(data.panels[0].printed[0].what == "bypass, paper");
  CHECK(data.panels[0].printed[0].measured_by == "bypass");
  CHECK(data.panels[1].printed.empty());
  CHECK(data.panels[2].printed.size() == 1);
  CHECK(data.panels[3].printed.size() == 1);
  CHECK_THAT(figures::figure_to_text("esc-5", data), Contains("measured 100.0"));

  data.panels[2].series.pop_back();
  CHECK_THROWS_WITH(figures::mark_printed("esc-5", data), Contains("esc-5b") && Contains("bypass"));
  data.panels.pop_back();
  data.panels.pop_back();
  CHECK_THROWS_AS(figures::mark_printed("esc-5", data), InternalError);
  figures::FigureData of_ours;  // a figure of which nothing is printed
  figures::mark_printed("esc-references", of_ours);
}

TEST_CASE("gnuplot draws a figure with all its names", "[experiment]") {
  const std::string svg = figures::run_gnuplot(figures::gnuplot_script(sample()));
  for (const char* text :
       {"<svg", "bypass", "it&apos;s other", "gamma", "cycles", "printed", "116"})
    CHECK((svg.find(text) != std::string::npos || (std::string(text) == "it&apos;s other" &&
                                                   svg.find("it's other") != std::string::npos)));
}

TEST_CASE("a script that gnuplot does not understand is an error with its words", "[experiment]") {
  CHECK_THROWS_WITH(figures::run_gnuplot("set terminal svg\nplot nonsense(\n"),
                    Contains("gnuplot fails"));
}

TEST_CASE("figures have different names and are found by them", "[experiment]") {
  const figures::FigureList list = figures::all_figures();
  for (const char* id : {"esc-5", "esc-6", "esc-8", "esc-13", "esc-14", "esc-15", "esc-16",
                         "esc-17", "esc-tree", "esc-faults", "esc-references"}) {
    const auto found = list.find(id);
    REQUIRE(found.size() == 1);
    CHECK(found[0]->id() == id);
    CHECK_FALSE(found[0]->about().empty());
  }
  CHECK(list.find("all").size() == list.all().size());
  const auto several = list.find_all({"esc-8", "esc-5", "esc-8"});
  REQUIRE(several.size() == 2);
  CHECK(several[0]->id() == "esc-5");
  CHECK(several[1]->id() == "esc-8");
  CHECK(list.find_all({"esc-5", "all"}).size() == list.all().size());
  CHECK_THROWS_WITH(list.find_all({"esc-5", "esc-99"}), Contains("esc-99"));
  CHECK_THROWS_WITH(list.find("esc-99"), Contains("esc-5"));
  figures::FigureList twice;
  twice.add(std::make_unique<Nothing>());
  CHECK_THROWS_AS(twice.add(std::make_unique<Nothing>()), InternalError);
}
