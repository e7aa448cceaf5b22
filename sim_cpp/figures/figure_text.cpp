// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muster/figures/figure.hpp"

namespace muster::figures {
namespace {

/// Our value for a printed one, if a series has that x.
const Point* measured(const Panel& panel, const Printed& printed) {
  for (const Series& series : panel.series) {
    if (series.name != printed.measured_by) continue;
    for (const Point& point : series.points)
      if (std::abs(point.x - printed.x) < 1e-9 && point.y) return &point;
  }
  return nullptr;
}

}  // namespace

std::string figure_to_text(const std::string& id, const FigureData& data) {
  std::string text = fmt::format("{}: {}\n", id, data.title);
  for (const Panel& panel : data.panels) {
    for (const Printed& printed : panel.printed) {
      text += fmt::format("  {} at {}: {}, printed {}", panel.title, printed.x, printed.what,
                          printed.y);
      if (const Point* const ours = measured(panel, printed)) {
        text += fmt::format(", measured {:.1f}", *ours->y);
        if (ours->half_width) text += fmt::format(" +- {:.1f}", *ours->half_width);
      }
      text += "\n";
    }
  }
  for (const std::string& note : data.notes) text += "  " + note + "\n";
  if (data.violations != 0)
    text += fmt::format("  {} violation{} of the checks\n", data.violations,
                        data.violations == 1 ? "" : "s");
  return text;
}

}  // namespace muster::figures
