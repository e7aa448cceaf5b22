// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <span>

#include "systems/esc/figures/esc_figures.hpp"
#include "systems/esc/figures/esc_rate_sweep.hpp"

namespace muster::esc {
namespace {

/// When gamma changes: 100 cycles after the mean, with most messages still to arrive.
constexpr std::uint64_t kChange = 3100;

/// Beyond the paper: hot section whose K is chosen at run time, beside every fixed one, under a
/// steady gamma and under one that changes within the active session. docs/systems/esc-sections.md.
class EscSections final : public figures::Figure {
 public:
  explicit EscSections(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-sections"; }
  std::string about() const override {
    return "delays over gamma, hot section with K chosen at run time beside fixed ones";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data =
        esc_rate_sweep("Extra Stage Cube, K chosen at run time: N = 256, n = 4, S = 12, sigma = 10",
                       policies(), rates(), setting, *points_);
    for (const double before : {0.3, 0.8}) add_change(before, setting, data);
    for (figures::Panel& panel : data.panels)
      if (panel.title.starts_with("mu_BG(Tot)"))
        // The best choice with gamma known: of all except the last, which chooses by itself.
        panel.series.push_back(
            least_of("best fixed K", std::span(panel.series).first(panel.series.size() - 1)));
    return data;
  }

 private:
  static std::vector<std::string> policies() {
    return {"hot-section:1", "hot-section:2",  "hot-section:4",
            "hot-section:8", "hot-section:16", "hot-section:auto"};
  }
  static std::vector<double> rates() { return {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}; }

  /// mu_BG(Tot) over the gamma after the change.
  void add_change(double before, const figures::FigureSetting& setting, figures::FigureData& data) {
    std::vector<EscCurve> curves;
    for (const std::string& policy : policies())
      curves.push_back({policy, [policy, before](double after) {
                          Spec spec = paper_spec(policy);
                          spec.rate = before;
                          spec.rate_change = RateChange{kChange, after};
                          return spec;
                        }});
    add_remarks(curves, rates(), setting, *points_, data);
    figures::Panel panel = esc_panel(Average::kTotal, curves, rates(), setting, *points_);
    panel.name.assign(1, static_cast<char>('a' + static_cast<int>(data.panels.size())));
    panel.title += fmt::format(", gamma {} before cycle {}", before, kChange);
    panel.x_label = fmt::format("gamma from cycle {} on", kChange);
    data.panels.push_back(std::move(panel));
  }

  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_sections(std::shared_ptr<EscPoints> points) {
  return std::make_unique<EscSections>(std::move(points));
}

}  // namespace muster::esc
