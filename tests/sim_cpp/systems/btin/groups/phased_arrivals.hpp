// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/run/arrivals.hpp"

namespace muster::test {

/// Groups that are used for a while and then idle: group g goes to its n-th barrier in cycle
/// times[g][n] at the earliest, its members up to `spread` cycles apart.
struct PhasedArrivals : run::Arrivals {
  std::vector<std::vector<std::uint64_t>> times;
  std::uint64_t spread = 0;

  std::uint64_t next(std::uint32_t group, std::uint32_t member, std::uint32_t barrier,
                     std::uint64_t earliest) const override {
    const std::uint64_t late =
        spread == 0 ? 0 : Rng(group * 1000 + member, barrier).below(spread + 1);
    return std::max(earliest, times[group][barrier] + late);
  }
};

/// Bursts of barriers back to back, with pauses of up to `idle` cycles between.
inline PhasedArrivals random_phases(Rng& rng, std::size_t groups, std::uint32_t barriers,
                                    std::uint64_t idle) {
  PhasedArrivals arrivals;
  arrivals.spread = rng.below(40);
  arrivals.times.resize(groups);
  for (auto& times : arrivals.times) {
    std::uint64_t cycle = 0;
    for (std::uint32_t b = 0; b < barriers; ++b) {
      if (rng.below(3) == 0) cycle += rng.below(idle);
      times.push_back(cycle);
    }
  }
  return arrivals;
}

}  // namespace muster::test
