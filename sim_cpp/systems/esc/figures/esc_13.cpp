// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "systems/esc/figures/esc_figures.hpp"

namespace muster::esc {
namespace {

/// Section 4.4: how many sections the network should be cut into.
class Esc13 final : public figures::Figure {
 public:
  explicit Esc13(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-13"; }
  std::string about() const override {
    return "delays over the number of sections, gamma 0.7 and 0.8";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "ESC Figure 13, hot section: N = 256, n = 4, S = 12, sigma = 10";
    data.parameters = parameters(paper_spec("hot-section:1"), setting);
    data.parameters.erase("gamma");
    const std::vector<double> sections = {1, 2, 4, 8, 16};
    std::vector<EscCurve> curves;
    for (const double rate : {0.7, 0.8}) {
      curves.push_back({fmt::format("gamma = {}", rate), [rate](double k) {
                          esc::Spec spec = paper_spec(fmt::format("hot-section:{}", k));
                          spec.rate = rate;
                          return spec;
                        }});
    }
    add_averages(curves, sections, "K (sections)", setting, *points_, data);
    for (figures::Panel& panel : data.panels) panel.log2_x = true;
    for (const figures::Series& series : data.panels[1].series) {
      const auto best = std::min_element(
          series.points.begin(), series.points.end(),
          [](const figures::Point& a, const figures::Point& b) { return a.y < b.y; });
      data.notes.push_back(fmt::format("Least mu_BG(Tot) at {}: printed K = 4, measured K = {}.",
                                       series.name, best->x));
    }
    return data;
  }

 private:
  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_13(std::shared_ptr<EscPoints> points) {
  return std::make_unique<Esc13>(std::move(points));
}

}  // namespace muster::esc
