// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/figures/esc_buffer_sweep.hpp"
#include "systems/esc/figures/esc_figures.hpp"

namespace muster::esc {

/// Section 4.5: delay of background messages.
std::unique_ptr<figures::Figure> make_esc_16(std::shared_ptr<EscPoints> points) {
  return std::make_unique<EscBufferSweep>(16, Average::kTotal, std::move(points));
}

}  // namespace muster::esc
