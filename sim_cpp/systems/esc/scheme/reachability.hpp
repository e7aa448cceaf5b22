// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "systems/esc/scheme/cube.hpp"
#include "systems/esc/scheme/faults.hpp"

namespace muster::esc {

/// Pairs (source, destination), of N^2, between which a way without a fault leads through boxes,
/// links and bypasses under this setting of the outer stages. It knows of no tags: whatever a box
/// can reach counts.
std::uint64_t connected_pairs(const Cube& cube, const OuterStages& stages,
                              std::span<const Fault> faults);

}  // namespace muster::esc
