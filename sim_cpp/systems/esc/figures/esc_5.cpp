// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

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
    mark_printed_bypass(data);
    esc::Spec half = paper_spec("bypass");
    half.rate = 0.5;
    const esc::Estimate length = points_->at(half, setting).active_session;
    data.notes.push_back(fmt::format(
        "Active session at gamma 0.5, bypass: printed about 325 cycles, measured {:.1f}.",
        *length.mean));
    return data;
  }

 private:
  std::shared_ptr<EscPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_esc_5(std::shared_ptr<EscPoints> points) {
  return std::make_unique<Esc5>(std::move(points));
}

}  // namespace muster::esc
