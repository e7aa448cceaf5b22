// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/figures/esc_buffer_sweep.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"

namespace muster::esc {
namespace {

double value(const figures::Panel& panel, const std::string& name, double x) {
  for (const figures::Series& series : panel.series)
    for (const figures::Point& point : series.points)
      if (series.name == name && point.x == x) return point.y.value_or(0.0);
  throw InternalError(panel.title + " has no point of " + name);
}

/// The two statements of section 4.5 on mu_BG(Tot), at sigma = 10.
void add_claims(const figures::Panel& panel, figures::FigureData& data) {
  const auto section = [&](double size) { return value(panel, "hot-section:4, sigma = 10", size); };
  data.notes.push_back(fmt::format(
      "{}, sigma = 10: printed, hot section with S = 8 beats bypass with S = 20; measured {:.1f} "
      "against {:.1f}.",
      panel.title, section(8), value(panel, "bypass, sigma = 10", 20)));
  data.notes.push_back(
      fmt::format("{}, sigma = 10: printed, hot section changes little from S = 12 on; measured "
                  "{:.1f}, {:.1f}, "
                  "{:.1f} at S = 12, 16, 20.",
                  panel.title, section(12), section(16), section(20)));
}

}  // namespace

std::string EscBufferSweep::id() const { return fmt::format("esc-{}", number_); }

std::string EscBufferSweep::about() const {
  return fmt::format("{} over the buffer size, bypass and hot section, gamma 0.4 and 0.6",
                     average_name(average_));
}

figures::FigureData EscBufferSweep::measure(const figures::FigureSetting& setting) {
  figures::FigureData data;
  data.title =
      fmt::format("ESC Figure {}, {}: N = 256, n = 4, K = 4", number_, average_name(average_));
  data.parameters = parameters(paper_spec("hot-section:4"), setting);
  for (const char* varied : {"gamma", "sigma", "S"}) data.parameters.erase(varied);
  const std::vector<double> sizes = {4, 8, 12, 16, 20};
  for (const double rate : {0.4, 0.6}) {
    std::vector<EscCurve> curves;
    for (const char* policy : {"bypass", "hot-section:4"}) {
      for (const double sigma : {10.0, 30.0, 50.0}) {
        curves.push_back({fmt::format("{}, sigma = {}", policy, sigma), [=](double size) {
                            esc::Spec spec = paper_spec(policy);
                            spec.rate = rate;
                            spec.sigma = sigma;
                            spec.box.depth = static_cast<std::uint32_t>(size);
                            return spec;
                          }});
      }
    }
    add_remarks(curves, sizes, setting, *points_, data);
    figures::Panel panel = esc_panel(average_, curves, sizes, setting, *points_);
    panel.name.assign(1, rate < 0.5 ? 'a' : 'b');
    panel.title = fmt::format("{}, gamma = {}", average_name(average_), rate);
    panel.x_label = "S (packets in an output buffer)";
    if (average_ == Average::kTotal) add_claims(panel, data);
    data.panels.push_back(std::move(panel));
  }
  return data;
}

}  // namespace muster::esc
