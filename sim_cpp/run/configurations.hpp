// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"

namespace muster::run {

/// Those of all systems, in their order.
std::vector<const fabric::SwitchKind*> switch_kinds();

/// The switches of rtl/configurations.json, in its order. The file is compiled into the library.
const std::vector<fabric::SwitchConfig>& configurations();

/// Those that scripts/model built: fabric/configurations.hpp says where they are looked for. A run
/// takes one only if it is named, so that what a run chooses does not depend on what was built.
/// Switches of a kind that no system has are left out: they are of another program.
const std::vector<fabric::SwitchConfig>& own_configurations();

/// Virtual channels of a switch that a run chooses itself: the fewest that are enough for every
/// kind of switch, so that all schemes are compared on the same links.
std::uint32_t usual_vcs();

/// By name, of both lists. Throws InputError listing the names.
fabric::SwitchConfig configuration(const std::string& name);

}  // namespace muster::run
