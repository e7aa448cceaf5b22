// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace muster::verif {

/// A box by its coordinates, `stage2_box5`: the stage in which it stands and its number there,
/// boxes of a stage counted in the order of the bank.
inline std::string box_name(std::span<const std::uint8_t> stages, std::uint32_t block) {
  const std::uint8_t stage = stages[block];
  const auto number = std::count(stages.begin(), stages.begin() + block, stage);
  return fmt::format("stage{}_box{}", stage, number);
}

inline std::string policy_name(std::uint32_t pe) { return fmt::format("pe{}_policy", pe); }
inline std::string injection_name(std::uint32_t pe) { return fmt::format("pe{}_injection", pe); }

}  // namespace muster::verif
