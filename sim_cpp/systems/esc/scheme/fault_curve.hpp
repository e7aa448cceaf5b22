// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ratio_estimate.hpp"
#include "systems/esc/scheme/cube.hpp"
#include "systems/esc/scheme/faults.hpp"

namespace muster::esc {

/// What random sets of so many faults leave, a mean over sets.
struct FaultPoint {
  std::uint32_t faults = 0;
  core::RatioEstimate connected;  ///< fraction of the N^2 pairs
  core::RatioEstimate whole;      ///< fraction of the sets that leave all pairs connected
};

/// The multistage cube has the parts that a packet of the Extra Stage Cube meets when the input
/// stage is bypassed, its links from the PEs being those out of stage m.
enum class FaultyNetwork : std::uint8_t { kExtraStageCube, kMultistageCube };

/// One point for each number in `counts`, ascending, over `sets` sets. Faults are drawn without
/// repetition, every box, link and bypass alike; the set of a point contains that of the point
/// before. The Extra Stage Cube has the setting of its outer stages that connects most pairs.
/// REQUIRES: no count above the number of parts.
std::vector<FaultPoint> fault_curve(const Cube& cube, FaultyNetwork network,
                                    std::span<const std::uint32_t> counts, std::uint32_t sets,
                                    std::uint64_t seed);

}  // namespace muster::esc
