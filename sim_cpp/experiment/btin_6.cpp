// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "experiment/btin_figures.hpp"

namespace muster::experiment {
namespace {

/// Section 5.2: latency over the group size, both systems.
class Btin6 final : public Figure {
 public:
  explicit Btin6(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-6"; }
  std::string about() const override { return "latency over the group size, BTIN and its rivals"; }

  FigureData measure(const FigureSetting& setting) override {
    const BtinSystem small{75, 256}, large{300, 1024};
    FigureData data;
    data.title = "BTIN Figure 6: 8-port switches, connectivity 75 %";
    Panel ratios = btin_panel("c", "multicast / BTIN", "latency ratio");
    for (const BtinSystem& system : {small, large}) {
      describe(system, setting, data);
      const BtinPoints::Result& result = points_->at(system, setting);
      data.violations += result.violations;
      Panel panel = btin_panel(data.panels.empty() ? "a" : "b", system.name() + " nodes/switches",
                               "latency (us)");
      panel.series = latency_curves(result);
      data.panels.push_back(std::move(panel));
      for (Series& curve : ratio_curves(system.name(), result))
        ratios.series.push_back(std::move(curve));
    }
    data.panels[1].printed = {{"btin", 1024, 11.5, "btin, measured"},
                              {"multicast", 1024, 120.5, "multicast, fullest branch of the tree"}};
    ratios.printed = {{"256/75", 256, 3.8, "256/75, fullest branch of the tree"},
                      {"1024/300", 256, 3.3, "1024/300, fullest branch of the tree"}};
    const double growth =
        value_at(data.panels[1].series[0], 1024) - value_at(data.panels[0].series[0], 256);
    data.panels.push_back(std::move(ratios));
    data.notes.push_back(fmt::format(
        "BTIN, sizes quadrupled (group 256 to 1024): printed +1.8 us, measured +{:.2f} us.",
        growth));
    return data;
  }

 private:
  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<Figure> make_btin_6(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<Btin6>(std::move(points));
}

}  // namespace muster::experiment
