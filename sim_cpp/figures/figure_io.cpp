// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muster/figures/figure.hpp"

namespace muster::figures {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

Json panel_json(const Panel& panel) {
  Json series = Json::array(), printed = Json::array();
  for (const Series& s : panel.series) {
    Json points = Json::array();
    for (const Point& p : s.points)
      points.push_back({{"x", p.x}, {"y", number(p.y)}, {"half_width", number(p.half_width)}});
    series.push_back({{"name", s.name}, {"points", std::move(points)}});
  }
  for (const Printed& p : panel.printed)
    printed.push_back({{"what", p.what}, {"x", p.x}, {"y", p.y}, {"measured_by", p.measured_by}});
  return {{"name", panel.name},          {"title", panel.title},         {"x_label", panel.x_label},
          {"y_label", panel.y_label},    {"log2_x", panel.log2_x},       {"log10_y", panel.log10_y},
          {"series", std::move(series)}, {"printed", std::move(printed)}};
}

}  // namespace

std::string figure_to_csv(const FigureData& data) {
  std::string text = "panel,series,x,y,half_width\n";
  for (const Panel& panel : data.panels) {
    for (const Series& s : panel.series)
      for (const Point& p : s.points)
        text += fmt::format("{},\"{}\",{},{},{}\n", panel.name, s.name, p.x, cell(p.y),
                            cell(p.half_width));
    for (const Printed& p : panel.printed)
      text += fmt::format("{},\"{}\",{},{},\n", panel.name, p.what, p.x, p.y);
  }
  return text;
}

std::string figure_to_json(const std::string& id, const FigureData& data,
                           const FigureSetting& setting, const Provenance& origin) {
  Json out;
  out["schema"] = "muster-figure-1";
  out["figure"] = id;
  out["title"] = data.title;
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["engine"] = setting.engine->name();
  out["seed"] = setting.seed;
  out["parameters"] = data.parameters;
  out["units"] = {{"x, y", "as in the labels of the axes"},
                  {"half_width", "of the 95 % confidence interval, unit of y"}};
  out["panels"] = Json::array();
  for (const Panel& panel : data.panels) out["panels"].push_back(panel_json(panel));
  out["notes"] = data.notes;
  out["violations"] = data.violations;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace muster::figures
