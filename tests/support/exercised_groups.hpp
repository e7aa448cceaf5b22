// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/switch_config.hpp"

namespace muster::testing {

/// Some groups of a switch that keeps them in block RAM, the first and last ones among them.
inline std::vector<std::uint32_t> exercised_groups(const fabric::SwitchConfig& config) {
  std::vector<std::uint32_t> groups;
  for (const std::uint32_t g :
       {0u, 1u, config.groups / 2, config.groups / 2 + 1, config.groups - 2, config.groups - 1})
    if (g < config.groups && (groups.empty() || groups.back() < g)) groups.push_back(g);
  return groups;
}

}  // namespace muster::testing
