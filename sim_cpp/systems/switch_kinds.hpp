// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"

// Kinds of switches that more than one system uses, and those of packets beside them.

namespace muster::btin {

/// docs/systems/barrier-switch.md; with `serial`, docs/systems/serial-unit.md.
extern const fabric::SwitchKind kBarrierSwitch;

}  // namespace muster::btin

namespace muster::packets {

/// docs/systems/multicast-switch.md.
extern const fabric::SwitchKind kMulticastSwitch;

/// docs/systems/unit-switch.md; golden only.
extern const fabric::SwitchKind kUnitSwitch;

}  // namespace muster::packets
