// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/tree/tree.hpp"

namespace muster::btin {

/// Microseconds of one barrier by the formula of BTIN section 5.1 with its default delays; 0 for a
/// group of one.
double paper_latency_us(const BarrierTree& tree);

}  // namespace muster::btin
