// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "barrier/register_image.hpp"

namespace muster::life {

/// A switch whose register of a group another plan wants otherwise: a register more (no `before`),
/// one less (no `after`), or other words in it.
struct SwitchDifference {
  topology::SwitchId sw = 0;
  std::optional<barrier::RegisterImage> before, after;
};

/// By switch, ascending; switches whose image stays are left out. REQUIRES: images of one group.
std::vector<SwitchDifference> plan_difference(std::span<const barrier::RegisterImage> before,
                                              std::span<const barrier::RegisterImage> after);

}  // namespace muster::life
