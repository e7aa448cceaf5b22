// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster/bank.hpp>

namespace token_ring {

/// The kind of switch: its name, its limits, its top module and its golden bank.
extern const muster::fabric::SwitchKind kRingSwitch;

}  // namespace token_ring
