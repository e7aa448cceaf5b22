// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "systems/btin/figures/btin_figures.hpp"

namespace muster::btin {
namespace {

/// Theorem 1, section 4.1: the average height of a tree, its three forms against real trees.
class BtinT1 final : public figures::Figure {
 public:
  explicit BtinT1(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-t1"; }
  std::string about() const override { return "tree height against Theorem 1"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "BTIN Theorem 1: 8-port switches, connectivity 75 %";
    for (const BtinSystem& system : {BtinSystem{75, 256}, BtinSystem{300, 1024}})
      add_panel(system, setting, data);
    data.parameters.erase("profile");
    return data;
  }

 private:
  void add_panel(const BtinSystem& system, const figures::FigureSetting& setting,
                 figures::FigureData& data) {
    figures::Panel panel =
        btin_panel(data.panels.empty() ? "a" : "b", system.name() + " nodes/switches",
                   "height (links between switches)");
    for (const auto model : {topology::RandomModel::kUniform, topology::RandomModel::kAttachment}) {
      BtinSystem of_model = system;
      of_model.model = model;
      const BtinPoints::Result& result = points_->at(of_model, setting);
      data.violations += result.violations;
      const char* name = model == topology::RandomModel::kUniform ? "trees, model uniform"
                                                                  : "trees, model attachment";
      panel.series.push_back(
          BtinPoints::curve(name, result, [](const BtinSample& sample) { return sample.height; }));
    }
    describe(system, setting, data);
    const double fk = system.connectivity * 8, q = system.switches;
    const double base = fk - system.nodes / q - 1;
    const auto log_b = [base](double x) { return std::log(x) / std::log(base); };
    figures::Series by_members{"log_b n", {}}, by_switches{"log_b q", {}},
        before_limit{"1 + log_b ((q - 1) / fk)", {}};
    for (const std::uint32_t n : system.sizes()) {
      by_members.points.push_back({static_cast<double>(n), log_b(n), std::nullopt});
      by_switches.points.push_back({static_cast<double>(n), log_b(q), std::nullopt});
      before_limit.points.push_back(
          {static_cast<double>(n), 1 + log_b((q - 1) / fk), std::nullopt});
    }
    panel.series.push_back(std::move(by_members));
    panel.series.push_back(std::move(by_switches));
    panel.series.push_back(std::move(before_limit));
    data.notes.push_back(fmt::format(
        "{}: b = fk - p/q - 1 = {:.2f}; for all nodes log_b n = {:.1f}, log_b q = {:.1f}, "
        "1 + log_b ((q - 1) / fk) = {:.1f}; trees have {:.2f} (uniform), {:.2f} (attachment).",
        system.name(), base, log_b(system.nodes), log_b(q), 1 + log_b((q - 1) / fk),
        value_at(panel.series[0], system.nodes), value_at(panel.series[1], system.nodes)));
    data.panels.push_back(std::move(panel));
  }

  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_btin_t1(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<BtinT1>(std::move(points));
}

}  // namespace muster::btin
