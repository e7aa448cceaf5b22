// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "figures/printed.hpp"
#include "systems/btin/figures/btin_figures.hpp"

namespace muster::btin {
namespace {

/// Section 5.2: latency over the group size, both systems.
class Btin6 final : public figures::Figure {
 public:
  explicit Btin6(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-6"; }
  std::string about() const override {
    return "latency over the group size, BTIN and its baselines";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    const BtinSystem small{75, 256}, large{300, 1024};
    figures::FigureData data;
    data.title = "BTIN Figure 6: 8-port switches, connectivity 75 %";
    std::vector<figures::Panel> ratios;
    for (const BtinSystem& system : {small, large}) {
      describe(system, setting, data);
      const BtinPoints::Result& result = points_->at(system, setting);
      data.violations += result.violations;
      figures::Panel panel = btin_panel(data.panels.empty() ? "a" : "b",
                                        system.name() + " nodes/switches", "latency (us)");
      panel.series = latency_curves(result);
      data.panels.push_back(std::move(panel));
      ratios.push_back(ratio_panel(ratios.empty() ? "c" : "d", system.name(), result));
    }
    const double growth =
        value_at(data.panels[1].series[0], 1024) - value_at(data.panels[0].series[0], 256);
    data.notes = {values_at(data.panels[1], 1024), values_at(ratios[0], 256),
                  values_at(ratios[1], 256),
                  fmt::format("BTIN, sizes quadrupled (group 256 to 1024): printed +1.8 us, "
                              "measured +{:.2f} us.",
                              growth)};
    data.parameters["occupied inputs"] = kOccupiedInputs;
    for (figures::Panel& panel : ratios) data.panels.push_back(std::move(panel));
    figures::mark_printed(id(), data);
    return data;
  }

 private:
  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_btin_6(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<Btin6>(std::move(points));
}

}  // namespace muster::btin
