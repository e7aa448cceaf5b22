// SPDX-License-Identifier: Apache-2.0
#include "figures/printed.hpp"
#include "systems/esc/figures/esc_figures.hpp"
#include "systems/esc/figures/esc_rate_sweep.hpp"

namespace muster::esc {
namespace {

/// Section 4.2: the price and the gain of keeping background off the reserved boxes.
class Esc5 final : public figures::Figure {
 public:
  explicit Esc5(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-5"; }
  std::string about() const override { return "delays over gamma, bypass and isolated background"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data =
        esc_rate_sweep("ESC Figure 5: N = 256, n = 4, S = 12, sigma = 10",
                       {"bypass", "isolated-bg"}, paper_rates(), setting, *points_);
    add_lengths(setting, data);
    figures::mark_printed(id(), data);
    return data;
  }

 private:
  /// How long the sessions of the same points are.
  void add_lengths(const figures::FigureSetting& setting, figures::FigureData& data) {
    figures::Panel panel;
    panel.name = "d";
    panel.title = "active session";
    panel.x_label = data.panels.front().x_label;
    panel.y_label = "length (cycles)";
    for (const figures::Series& curve : data.panels.front().series) {
      figures::Series lengths{curve.name, {}};
      for (const figures::Point& point : curve.points) {
        esc::Spec spec = paper_spec(curve.name);
        spec.rate = point.x;
        const esc::Estimate length = points_->at(spec, setting).active_session;
        lengths.points.push_back({point.x, length.mean, length.half_width});
      }
      panel.series.push_back(std::move(lengths));
    }
    data.panels.push_back(std::move(panel));
  }

  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_5(std::shared_ptr<EscPoints> points) {
  return std::make_unique<Esc5>(std::move(points));
}

}  // namespace muster::esc
