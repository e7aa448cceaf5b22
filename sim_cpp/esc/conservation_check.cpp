// SPDX-License-Identifier: Apache-2.0
#include "esc/conservation_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::esc {

ConservationCheck::ConservationCheck(const Spec& spec)
    : n_(spec.box.size),
      capacity_(n_ * spec.box.depth),
      boxes_per_stage_(spec.pes / n_),
      last_stage_(spec.stages().last()),
      held_(std::size_t{spec.stages().count(Cube(spec.pes, n_))} * boxes_per_stage_) {}

void ConservationCheck::start(const SessionPlan& /*plan*/) {
  std::fill(held_.begin(), held_.end(), 0);
}

void ConservationCheck::observe(const CycleView& view) {
  cycle_ = view.cycle;
  for (std::size_t b = 0; b < held_.size(); ++b) {
    std::uint32_t in = 0, out = 0, shown = 0;
    for (std::size_t k = b * n_; k < (b + 1) * n_; ++k) {
      const unsigned stage = last_stage_ + static_cast<unsigned>(b / boxes_per_stage_);
      if (view.rx_ready[k] != 0) in += network::broadcast_in(view.rx[k], stage) ? n_ : 1;
      shown += view.tx[k] != 0;
      out += view.tx[k] != 0 && view.tx_ready[k] != 0;
    }
    const std::int32_t before = held_[b];
    held_[b] += static_cast<std::int32_t>(in) - static_cast<std::int32_t>(out);
    if ((before > 0) == (shown > 0) && held_[b] >= 0 &&
        held_[b] <= static_cast<std::int32_t>(capacity_)) {
      ++passed_;
      continue;
    }
    violation(
        fmt::format("cycle {}: box {} of stage {} held {} packets, shows {}, takes {}, "
                    "sends {}; it can hold {}",
                    view.cycle, b % boxes_per_stage_, last_stage_ + b / boxes_per_stage_, before,
                    shown, in, out, capacity_));
  }
}

void ConservationCheck::finish() {
  for (std::size_t b = 0; b < held_.size(); ++b)
    if (held_[b] != 0)
      violation(fmt::format("cycle {}: box {} of stage {} keeps {} packets", cycle_,
                            b % boxes_per_stage_, last_stage_ + b / boxes_per_stage_, held_[b]));
}

}  // namespace muster::esc
