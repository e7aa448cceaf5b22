// SPDX-License-Identifier: Apache-2.0
#include "experiment/esc_buffer_sweep.hpp"

#include <fmt/format.h>

namespace muster::experiment {

std::string EscBufferSweep::id() const { return fmt::format("esc-{}", number_); }

std::string EscBufferSweep::about() const {
  return fmt::format("{} over the buffer size, bypass and hot section, gamma 0.4 and 0.6",
                     average_name(average_));
}

FigureData EscBufferSweep::measure(const FigureSetting& setting) {
  FigureData data;
  data.title =
      fmt::format("ESC Figure {}, {}: N = 256, n = 4, K = 4", number_, average_name(average_));
  data.parameters = parameters(paper_spec("hot-section:4"));
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
    Panel panel = esc_panel(average_, curves, sizes, setting, *points_);
    panel.name.assign(1, rate < 0.5 ? 'a' : 'b');
    panel.title = fmt::format("{}, gamma = {}", average_name(average_), rate);
    panel.x_label = "S (packets in an output buffer)";
    data.panels.push_back(std::move(panel));
  }
  return data;
}

}  // namespace muster::experiment
