// SPDX-License-Identifier: Apache-2.0
#include "experiment/esc_buffer_sweep.hpp"
#include "experiment/esc_figures.hpp"

namespace muster::experiment {

/// Section 4.5: delay of background messages.
std::unique_ptr<Figure> make_esc_16(std::shared_ptr<EscPoints> points) {
  return std::make_unique<EscBufferSweep>(16, Average::kTotal, std::move(points));
}

}  // namespace muster::experiment
