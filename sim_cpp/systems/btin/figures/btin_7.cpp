// SPDX-License-Identifier: Apache-2.0
#include "figures/printed.hpp"
#include "systems/btin/figures/btin_figures.hpp"

namespace muster::btin {
namespace {

/// Section 5.2: links traversed by the messages of a barrier.
class Btin7 final : public figures::Figure {
 public:
  explicit Btin7(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-7"; }
  std::string about() const override { return "network traffic over the group size"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "BTIN Figure 7: links traversed in both phases, node links included";
    figures::Panel ratios = btin_panel("c", "multicast / BTIN", "traffic ratio");
    for (const BtinSystem& system : {BtinSystem{75, 256}, BtinSystem{300, 1024}}) {
      describe(system, setting, data);
      const BtinPoints::Result& result = points_->at(system, setting);
      data.violations += result.violations;
      figures::Panel panel = btin_panel(data.panels.empty() ? "a" : "b",
                                        system.name() + " nodes/switches", "traffic (hops)");
      for (const std::string& scheme : measured_schemes())
        panel.series.push_back(BtinPoints::curve(
            scheme + ", measured", result,
            [scheme](const BtinSample& s) { return s.measured.at(scheme).hops; }));
      panel.series.push_back(
          BtinPoints::curve("multicast, shortest ways and one worm", result,
                            [](const BtinSample& s) { return s.shortest_hops; }));
      data.panels.push_back(std::move(panel));
      ratios.series.push_back(
          BtinPoints::curve(system.name() + ", measured", result, [](const BtinSample& s) {
            return s.measured.at("multicast").hops / s.measured.at("btin").hops;
          }));
      ratios.series.push_back(BtinPoints::curve(
          system.name() + ", shortest ways and one worm", result,
          [](const BtinSample& s) { return s.shortest_hops / s.measured.at("btin").hops; }));
    }
    data.notes = {values_at(data.panels[0], 256), values_at(data.panels[1], 256),
                  values_at(ratios, 256)};
    data.panels.push_back(std::move(ratios));
    data.notes.push_back(
        "The printed ratios do not follow from the paper's own definition of traffic; see "
        "docs/systems/btin-figures.md.");
    figures::mark_printed(id(), data);
    return data;
  }

 private:
  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_btin_7(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<Btin7>(std::move(points));
}

}  // namespace muster::btin
