// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/feedback.hpp"

#include <algorithm>

namespace muster::esc {

Feedback::Feedback(const Spec& spec, const Cube& cube)
    : limit_(spec.reference == Reference::kThrottle ? spec.throttle_limit : 0),
      counts_(cube, spec.stages(), limit_ != 0 ? 0 : cube.input_stage()),
      wire_(spec.hot_spots) {}

void Feedback::start(const SessionPlan& plan) {
  plan_ = plan;
  counts_.start();
  std::fill(wire_.begin(), wire_.end(), 0);
}

void Feedback::show(std::span<std::uint8_t> busy, std::span<std::uint8_t> fill) const {
  if (limit_ != 0) {
    for (std::uint32_t pe = 0; pe < busy.size(); ++pe) busy[pe] = wire_[plan_.group(pe)];
  } else {
    for (std::uint32_t link = 0; link < fill.size(); ++link)
      fill[link] = static_cast<std::uint8_t>(counts_.fill(link));
  }
}

void Feedback::clock(const CycleView& view) {
  for (std::uint32_t group = 0; limit_ != 0 && group < wire_.size(); ++group)
    wire_[group] = counts_.fill(plan_.hot[group]) >= limit_;
  counts_.clock(view);
}

}  // namespace muster::esc
