// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "barrier/tree.hpp"

namespace muster::barrier {

/// Microseconds of one barrier by the formula of BTIN section 5.1 with its default delays; 0 for a
/// group of one.
double paper_latency_us(const BarrierTree& tree);

}  // namespace muster::barrier
