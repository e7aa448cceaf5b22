// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::verif {

/// Which fault of a netlist from scripts/netlist is on in models made from now on; 0 for none.
inline std::uint32_t active_mutant = 0;

}  // namespace muster::verif
