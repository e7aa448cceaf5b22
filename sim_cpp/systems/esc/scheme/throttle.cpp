// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/throttle.hpp"

#include <algorithm>

namespace muster::esc {

Throttle::Throttle(const Spec& spec, const Cube& cube)
    : cube_(cube),
      limit_(spec.throttle_limit),
      counts_(cube, spec.stages(), 0),
      wire_(spec.hot_spots),
      held_(spec.pes),
      aside_(spec.pes),
      from_held_(spec.pes),
      leaves_(spec.pes) {}

void Throttle::start(const SessionPlan& plan) {
  plan_ = plan;
  counts_.start();
  std::fill(wire_.begin(), wire_.end(), 0);
  std::fill(held_.begin(), held_.end(), 0);
}

void Throttle::offer(std::uint64_t cycle, std::span<BoxPacket> offers) {
  std::fill(aside_.begin(), aside_.end(), 0);
  std::fill(from_held_.begin(), from_held_.end(), 0);
  for (std::uint32_t pe = 0; pe < offers.size(); ++pe) {
    const bool busy = wire_[plan_.group(pe)] != 0;
    if (held_[pe] != 0) {
      if (busy || !turn(pe, cycle)) continue;
      offers[pe] = held_[pe];
      from_held_[pe] = 1;
    } else if (busy && kind_of(offers[pe]) == BoxKind::kSynchronization) {
      aside_[pe] = offers[pe];
      offers[pe] = 0;
    }
  }
}

std::span<const std::uint8_t> Throttle::clock(const CycleView& view) {
  for (std::uint32_t pe = 0; pe < leaves_.size(); ++pe) {
    const bool taken = view.taken[pe] != 0;
    leaves_[pe] = aside_[pe] != 0 || (taken && from_held_[pe] == 0);
    if (aside_[pe] != 0) held_[pe] = aside_[pe];
    if (taken && from_held_[pe] != 0) held_[pe] = 0;
  }
  for (std::uint32_t group = 0; group < wire_.size(); ++group)
    wire_[group] = counts_.fill(plan_.hot[group]) >= limit_;
  counts_.clock(view);
  return leaves_;
}

}  // namespace muster::esc
