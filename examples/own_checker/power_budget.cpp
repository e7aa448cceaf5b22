// SPDX-License-Identifier: Apache-2.0
#include "power_budget.hpp"

void PowerBudget::flit(std::uint64_t cycle, const muster::core::FlitEvent& event) {
  ++in_cycle_[cycle % kWindow];
  ++in_window_;
  last_ = event.channel;
}

void PowerBudget::end_cycle(std::uint64_t cycle) {
  require(in_window_ <= kAllowed, cycle, last_, [&] {
    return std::to_string(in_window_) + " flits in " + std::to_string(kWindow) +
           " cycles, allowed are " + std::to_string(kAllowed);
  });
  // The oldest cycle leaves the window.
  std::uint32_t& oldest = in_cycle_[(cycle + 1) % kWindow];
  in_window_ -= oldest;
  oldest = 0;
}
