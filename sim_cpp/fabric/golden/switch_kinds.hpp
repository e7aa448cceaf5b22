// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/bank.hpp"
#include "fabric/switch_config.hpp"

namespace muster::golden {

/// The golden bank of config.kind, all switches as after reset. Throws InputError if `config` is
/// out of range.
std::unique_ptr<core::Bank> make_switch_bank(std::uint32_t blocks,
                                             const fabric::SwitchConfig& config);

}  // namespace muster::golden
