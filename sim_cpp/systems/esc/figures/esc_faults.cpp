// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "systems/esc/figures/esc_figures.hpp"
#include "systems/esc/scheme/fault_curve.hpp"

namespace muster::esc {
namespace {

constexpr std::array<std::uint32_t, 13> kCounts = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
constexpr std::uint32_t kFewFaults = 16;  ///< more leave all pairs connected in no set
constexpr std::uint32_t kSets = 1000;

figures::Point percent(double x, const core::RatioEstimate& fraction) {
  const auto times_100 = [](std::optional<double> value) {
    if (value) *value *= 100;
    return value;
  };
  return {x, times_100(fraction.mean()), times_100(fraction.half_width())};
}

figures::Panel empty_panel(const char* name, const std::string& title, const std::string& y_label) {
  figures::Panel panel;
  panel.name = name;
  panel.title = title;
  panel.x_label = "faults";
  panel.y_label = y_label;
  return panel;
}

/// Beyond the paper, which names the tolerance of one fault: what several leave.
class EscFaults final : public figures::Figure {
 public:
  std::string id() const override { return "esc-faults"; }
  std::string about() const override { return "connected pairs of PEs over the number of faults"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    const std::uint32_t sets = setting.repetitions.value_or(kSets);
    figures::FigureData data;
    data.title = "Extra Stage Cube and multistage cube with several random faults";
    data.parameters = {{"fault sets a point", fmt::format("{}", sets)},
                       {"faulty parts", "boxes, links, bypasses, all alike"}};
    const esc::Cube small(64, 2), large(256, 4);
    add_panels({"a", "b"}, small, sets, setting, data);
    add_panels({"c", "d"}, large, sets, setting, data);
    data.notes = {
        "The Extra Stage Cube has the setting of its outer stages that connects most pairs.",
        "It has more parts than the multistage cube: the same number of faults is a smaller share.",
        "Intervals of a share of sets (all pairs connected) are too narrow near 0 and 100 %."};
    return data;
  }

 private:
  static void add_panels(const std::array<const char*, 2>& names, const esc::Cube& cube,
                         std::uint32_t sets, const figures::FigureSetting& setting,
                         figures::FigureData& data) {
    const std::string size = fmt::format("N = {}, n = {}", cube.pes(), cube.size());
    if (setting.progress) setting.progress(size);
    figures::Panel pairs =
        empty_panel(names[0], size + ", pairs", "pairs of PEs that are connected (%)");
    figures::Panel whole =
        empty_panel(names[1], size + ", all pairs", "sets that leave all connected (%)");
    for (const auto& [network, title] :
         {std::pair{esc::FaultyNetwork::kExtraStageCube, "Extra Stage Cube"},
          std::pair{esc::FaultyNetwork::kMultistageCube, "multistage cube"}}) {
      pairs.series.push_back({title, {}});
      whole.series.push_back({title, {}});
      for (const esc::FaultPoint& p : fault_curve(cube, network, kCounts, sets, setting.seed)) {
        pairs.series.back().points.push_back(percent(p.faults, p.connected));
        if (p.faults <= kFewFaults)
          whole.series.back().points.push_back(percent(p.faults, p.whole));
        // Adams and Siegel's property.
        if (network == esc::FaultyNetwork::kExtraStageCube && p.faults <= 1)
          data.violations += p.whole.mean() != 1.0;
      }
    }
    data.panels.push_back(std::move(pairs));
    data.panels.push_back(std::move(whole));
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_faults() { return std::make_unique<EscFaults>(); }

}  // namespace muster::esc
