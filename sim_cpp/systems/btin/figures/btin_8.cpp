// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "figures/printed.hpp"
#include "systems/btin/figures/btin_figures.hpp"

namespace muster::btin {
namespace {

/// Section 5.2: the effect of the connectivity.
class Btin8 final : public figures::Figure {
 public:
  explicit Btin8(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-8"; }
  std::string about() const override { return "latency over the group size by connectivity"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "BTIN Figure 8: 256 nodes, 75 switches of 8 ports";
    figures::Panel latencies = btin_panel("a", "latency", "latency (us)");
    std::vector<figures::Panel> ratios;
    for (const double f : {0.7, 0.9}) {
      BtinSystem system{75, 256, f};
      describe(system, setting, data);
      const std::string name = fmt::format("f = {:.0f} %", 100 * f);
      const BtinPoints::Result& result = points_->at(system, setting);
      data.violations += result.violations;
      for (figures::Series& curve : latency_curves(result)) {
        if (!curve.name.ends_with(", measured") || curve.name.starts_with("unicast")) continue;
        curve.name = fmt::format("{}, {}", name, curve.name);
        latencies.series.push_back(std::move(curve));
      }
      ratios.push_back(ratio_panel(ratios.empty() ? "b" : "c", name, result));
      data.notes.push_back(values_at(ratios.back(), 256));
    }
    data.parameters["system 256/75"] =
        "256 nodes, 75 switches, connectivity 0.7 and 0.9, model uniform";
    data.parameters["occupied inputs"] = kOccupiedInputs;
    data.notes.push_back(
        "f = 50 %, printed 8.7, cannot be built: its 300 connected ports less 256 of nodes leave "
        "22 links, and 75 switches need 74.");
    data.notes.push_back(
        "The text of the paper says that more connectivity brings more gain, its factors say "
        "less.");
    for (std::size_t curve = 0; curve < 3; ++curve) {
      const figures::Series &few = ratios[0].series[curve], &many = ratios[1].series[curve];
      const double sparse = value_at(few, 256), dense = value_at(many, 256);
      data.notes.push_back(fmt::format("From f = 70 % to 90 % the ratio {}, {}: {:.2f} to {:.2f}.",
                                       dense < sparse ? "falls" : "rises", few.name, sparse,
                                       dense));
    }
    data.panels = {std::move(latencies), std::move(ratios[0]), std::move(ratios[1])};
    figures::mark_printed(id(), data);
    return data;
  }

 private:
  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_btin_8(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<Btin8>(std::move(points));
}

}  // namespace muster::btin
