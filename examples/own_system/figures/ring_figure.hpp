// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/figure.hpp>

namespace token_ring {

/// What a barrier takes on rings of 3 to 12 switches, all members arriving at once.
class RingFigure : public muster::figures::Figure {
 public:
  std::string id() const override { return "token-ring-1"; }
  std::string about() const override { return "barrier latency over the size of the ring"; }
  muster::figures::FigureData measure(const muster::figures::FigureSetting& setting) override;
};

}  // namespace token_ring
