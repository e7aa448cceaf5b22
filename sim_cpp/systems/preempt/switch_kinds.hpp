// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_kind.hpp"

namespace muster::preempt {

// docs/systems/preempting-switches.md: what a barrier message can cut.
extern const fabric::SwitchKind kBsr1;  ///< any data channel
extern const fabric::SwitchKind kBsr2;  ///< data channel 0
extern const fabric::SwitchKind kBsr3;  ///< a data channel whose flits move

}  // namespace muster::preempt
