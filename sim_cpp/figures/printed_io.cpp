// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "figures/printed.hpp"
#include "figures/printed_text.hpp"
#include "muster/core/error.hpp"

namespace muster::figures {

namespace {

const nlohmann::json& printed_rows() {
  static const auto file = nlohmann::json::parse(kPrintedText);
  return file.at("rows");
}

}  // namespace

double printed_value(const std::string& row) {
  for (const auto& found : printed_rows())
    if (found.at("id") == row && found.at("printed").is_number())
      return found.at("printed").get<double>();
  throw InternalError(fmt::format("printed.json: no row {} with a number", row));
}

void mark_printed(const std::string& id, FigureData& data) {
  for (const auto& row : printed_rows()) {
    if (!row.contains("mark") || row.at("figure") != id) continue;
    const auto& ours = row.at("ours");
    const auto panel = std::find_if(data.panels.begin(), data.panels.end(), [&](const Panel& p) {
      return p.name == ours.at("panel").get<std::string>();
    });
    const auto series = ours.at("series").get<std::string>();
    if (panel == data.panels.end() ||
        std::none_of(panel->series.begin(), panel->series.end(),
                     [&](const Series& s) { return s.name == series; }))
      throw InternalError(fmt::format("printed.json, {}: {} has no curve '{}' in panel {}",
                                      row.at("id").get<std::string>(), id, series,
                                      ours.at("panel").get<std::string>()));
    panel->printed.push_back({row.at("mark").get<std::string>(), ours.at("x").get<double>(),
                              row.at("printed").get<double>(), series});
  }
}

}  // namespace muster::figures
