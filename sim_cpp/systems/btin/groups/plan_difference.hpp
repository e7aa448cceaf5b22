// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "systems/btin/tree/register_image.hpp"

namespace muster::btin {

/// A switch whose register of a group another plan wants otherwise: a register more (no `before`),
/// one less (no `after`), or other words in it.
struct SwitchDifference {
  topology::SwitchId sw = 0;
  std::optional<RegisterImage> before, after;
};

/// By switch, ascending; switches whose image stays are left out. REQUIRES: images of one group.
std::vector<SwitchDifference> plan_difference(std::span<const RegisterImage> before,
                                              std::span<const RegisterImage> after);

}  // namespace muster::btin
