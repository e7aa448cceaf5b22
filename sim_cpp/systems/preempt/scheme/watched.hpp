// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/seen.hpp"

namespace muster::preempt {

/// What run::System::seen() says of these flits.
std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                     const fabric::Formats& formats);

/// What run::System::entries() adds.
void add_entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
                 std::vector<run::SwitchEntry>& out);

}  // namespace muster::preempt
