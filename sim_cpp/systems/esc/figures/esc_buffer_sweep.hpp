// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "systems/esc/figures/esc_points.hpp"

namespace muster::esc {

/// Figures 15, 16 and 17: one average over the size of the output buffers, for several sigma; (a)
/// gamma 0.4, (b) gamma 0.6; bypass and hot section with K = 4.
class EscBufferSweep final : public figures::Figure {
 public:
  EscBufferSweep(int number, Average average, std::shared_ptr<EscPoints> points)
      : number_(number), average_(average), points_(std::move(points)) {}
  std::string id() const override;
  std::string about() const override;
  figures::FigureData measure(const figures::FigureSetting& setting) override;

 private:
  int number_;
  Average average_;
  std::shared_ptr<EscPoints> points_;
};

}  // namespace muster::esc
