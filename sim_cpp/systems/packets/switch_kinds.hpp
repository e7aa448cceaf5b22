// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"

namespace muster::packets {

/// docs/systems/multicast-switch.md.
extern const fabric::SwitchKind kMulticastSwitch;

/// docs/systems/unit-switch.md; golden only.
extern const fabric::SwitchKind kUnitSwitch;

}  // namespace muster::packets
