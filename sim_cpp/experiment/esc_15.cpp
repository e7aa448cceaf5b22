// SPDX-License-Identifier: Apache-2.0
#include "experiment/esc_buffer_sweep.hpp"
#include "experiment/esc_figures.hpp"

namespace muster::experiment {

/// Section 4.5: delay of synchronization messages.
std::unique_ptr<Figure> make_esc_15(std::shared_ptr<EscPoints> points) {
  return std::make_unique<EscBufferSweep>(15, Average::kSyn, std::move(points));
}

}  // namespace muster::experiment
