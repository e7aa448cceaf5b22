// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"

namespace muster::btin {

/// docs/systems/barrier-switch.md; with `serial`, docs/systems/serial-unit.md.
extern const fabric::SwitchKind kBarrierSwitch;

}  // namespace muster::btin
