// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace muster::verif {

// Names of blocks in waveforms, failed assertions and reports. Switches, links and NICs are named
// by their number in the bank, which for a NIC is its node.

inline std::string switch_name(std::uint32_t block) { return fmt::format("sw{}", block); }
inline std::string link_name(std::uint32_t block) { return fmt::format("link{}", block); }
inline std::string nic_name(std::uint32_t block) { return fmt::format("nic{}", block); }
inline std::string policy_name(std::uint32_t pe) { return fmt::format("pe{}_policy", pe); }
inline std::string injection_name(std::uint32_t pe) { return fmt::format("pe{}_injection", pe); }

/// A box by its coordinates, `stage2_box5`: the stage in which it stands and its number there,
/// boxes of a stage counted in the order of the bank.
inline std::string box_name(std::span<const std::uint8_t> stages, std::uint32_t block) {
  const std::uint8_t stage = stages[block];
  const auto number = std::count(stages.begin(), stages.begin() + block, stage);
  return fmt::format("stage{}_box{}", stage, number);
}

}  // namespace muster::verif
