// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "experiment/btin_figures.hpp"

namespace muster::experiment {
namespace {

/// Section 5.2: the effect of the connectivity.
class Btin8 final : public Figure {
 public:
  explicit Btin8(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-8"; }
  std::string about() const override { return "latency over the group size by connectivity"; }

  FigureData measure(const FigureSetting& setting) override {
    FigureData data;
    data.title = "BTIN Figure 8: 256 nodes, 75 switches of 8 ports";
    Panel latencies = btin_panel("a", "latency", "latency (us)");
    Panel ratios = btin_panel("b", "multicast / BTIN", "latency ratio");
    for (const double f : {0.7, 0.9}) {
      BtinSystem system{75, 256, f};
      describe(system, setting, data);
      const std::string name = fmt::format("f = {:.0f} %", 100 * f);
      const BtinPoints::Result& result = points_->at(system, setting);
      data.violations += result.violations;
      for (Series& curve : latency_curves(result)) {
        if (curve.name != "btin, measured" && curve.name != "multicast, fullest branch of the tree")
          continue;
        curve.name = fmt::format("{}, {}", name, curve.name);
        latencies.series.push_back(std::move(curve));
      }
      for (Series& ratio : ratio_curves(name, result)) ratios.series.push_back(std::move(ratio));
    }
    data.parameters["system 256/75"] =
        "256 nodes, 75 switches, connectivity 0.7 and 0.9, model uniform";
    ratios.printed = {{"f = 50 %", 256, 8.7, ""},
                      {"f = 70 %", 256, 4.1, "f = 70 %, fullest branch of the tree"},
                      {"f = 90 %", 256, 3.2, "f = 90 %, fullest branch of the tree"}};
    data.panels = {std::move(latencies), std::move(ratios)};
    data.notes.push_back(
        "f = 50 % cannot be built: its 300 connected ports less 256 of nodes leave 22 links, and "
        "75 "
        "switches need 74.");
    data.notes.push_back(
        "The text of the paper says that more connectivity brings more gain; its factors and ours "
        "say less.");
    return data;
  }

 private:
  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<Figure> make_btin_8(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<Btin8>(std::move(points));
}

}  // namespace muster::experiment
