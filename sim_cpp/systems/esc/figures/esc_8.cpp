// SPDX-License-Identifier: Apache-2.0
#include "figures/printed.hpp"
#include "systems/esc/figures/esc_figures.hpp"
#include "systems/esc/figures/esc_rate_sweep.hpp"

namespace muster::esc {
namespace {

/// Section 4.3: hot background shares the reserved boxes, and the secondary tree is gone.
class Esc8 final : public figures::Figure {
 public:
  explicit Esc8(std::shared_ptr<EscPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "esc-8"; }
  std::string about() const override { return "delays over gamma, bypass and isolated hot spot"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data =
        esc_rate_sweep("ESC Figure 8: N = 256, n = 4, S = 12, sigma = 10",
                       {"bypass", "isolated-hs"}, paper_rates(), setting, *points_);
    figures::mark_printed(id(), data);
    return data;
  }

 private:
  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_8(std::shared_ptr<EscPoints> points) {
  return std::make_unique<Esc8>(std::move(points));
}

}  // namespace muster::esc
