// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/adaptive_choice.hpp"

namespace muster::esc {

AdaptiveChoice::AdaptiveChoice(const Spec& spec, const Cube& cube)
    : cube_(cube), counts_(cube, spec.stages(), cube.input_stage()) {}

void AdaptiveChoice::choose(std::span<BoxPacket> offers) const {
  for (std::uint32_t pe = 0; pe < offers.size(); ++pe) {
    if (offers[pe] == 0) continue;
    const bool release = esc::kind_of(offers[pe]) == BoxKind::kRelease;
    offers[pe] |= cube_.tag(0, release ? cube_.digit(pe, 0) : output(pe));
  }
}

std::uint32_t AdaptiveChoice::output(std::uint32_t pe) const {
  std::uint32_t best = cube_.digit(pe, 0);
  for (std::uint32_t k = 1; k < cube_.size(); ++k) {
    const std::uint32_t x = (pe + k) & (cube_.size() - 1);
    if (counts_.fill(cube_.with_digit(pe, 0, x)) < counts_.fill(cube_.with_digit(pe, 0, best)))
      best = x;
  }
  return best;
}

}  // namespace muster::esc
