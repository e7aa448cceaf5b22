// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "fabric/block_list.hpp"
#include "systems/esc/blocks/box_bank.hpp"
#include "systems/esc/blocks/injection_bank.hpp"
#include "systems/esc/blocks/policy_bank.hpp"

namespace muster::esc {

inline constexpr std::string_view kCombiningBox = "combining_box";  ///< top module

// Between block lists and configurations.
/// Throws InputError if the width of packets is not that of BoxPacket.
BoxConfig box_config(const fabric::BlockEntry& entry);
fabric::Block block_of(const BoxConfig& config);
/// The input policy of a PE; the address bits in use are an input of the block.
fabric::Block block_of(const PolicyConfig& config);
/// The injection block of a PE; so is the scheme.
fabric::Block block_of(const InjectionConfig& config);

}  // namespace muster::esc
