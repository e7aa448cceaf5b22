// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/figures/esc_figures.hpp"
#include "systems/esc/figures/esc_rate_sweep.hpp"

namespace muster::esc {
namespace {

/// Beyond the paper: schemes of others on the same boxes, docs/systems/esc-references.md.
class EscReferences final : public figures::Figure {
 public:
  explicit EscReferences(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-references"; }
  std::string about() const override {
    return "delays over gamma, bypass and hot section beside schemes of others";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    return esc_rate_sweep(
        "Extra Stage Cube, hot section and references: N = 256, n = 4, S = 12, sigma = 10",
        {"bypass", "hot-section:4", "throttle:6", "adaptive", "combining"},
        {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}, setting, *points_);
  }

 private:
  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_references(std::shared_ptr<EscPoints> points) {
  return std::make_unique<EscReferences>(std::move(points));
}

}  // namespace muster::esc
