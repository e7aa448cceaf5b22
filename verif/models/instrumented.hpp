// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>

namespace muster::verif {

/// Which fault of a netlist from scripts/netlist is on in models made from now on; 0 for none.
inline std::uint32_t active_mutant = 0;

/// Adds the counts of all models of a context, which are all still there, to those of the process,
/// and forgets them in the context. At its end the process writes the sums to the file that the
/// environment variable MUSTER_COVERAGE names, in Verilator's format.
void keep_coverage(VerilatedContext& context);

}  // namespace muster::verif
