// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/fault_curve.hpp"

#include <algorithm>
#include <utility>

#include "muster/core/rng.hpp"
#include "systems/esc/scheme/fault_routing.hpp"
#include "systems/esc/scheme/reachability.hpp"

namespace muster::esc {
namespace {

constexpr OuterStages kNormal{.input = false, .output = true};

std::vector<Fault> parts(const Cube& cube, FaultyNetwork network) {
  std::vector<Fault> all = all_faults(cube);
  if (network == FaultyNetwork::kExtraStageCube) return all;
  std::erase_if(all, [&cube](const Fault& fault) {
    return fault.kind == FaultKind::kBypass || !cut_of(cube, kNormal, fault);
  });
  return all;
}

}  // namespace

std::vector<FaultPoint> fault_curve(const Cube& cube, FaultyNetwork network,
                                    std::span<const std::uint32_t> counts, std::uint32_t sets,
                                    std::uint64_t seed) {
  std::vector<FaultPoint> points(counts.size());
  std::vector<Fault> faults = parts(cube, network);
  const std::uint64_t pairs = std::uint64_t{cube.pes()} * cube.pes();
  for (std::uint32_t set = 0; set < sets; ++set) {
    Rng rng(seed, set);
    std::size_t drawn = 0;
    for (std::size_t p = 0; p < counts.size(); ++p) {
      for (; drawn < counts[p]; ++drawn)
        std::swap(faults[drawn], faults[drawn + rng.below(faults.size() - drawn)]);
      const std::span<const Fault> present(faults.data(), drawn);
      const std::uint64_t connected = network == FaultyNetwork::kExtraStageCube
                                          ? most_connected_pairs(cube, present)
                                          : connected_pairs(cube, kNormal, present);
      points[p].faults = counts[p];
      points[p].connected.add(static_cast<double>(connected) / static_cast<double>(pairs), 1);
      points[p].whole.add(connected == pairs ? 1 : 0, 1);
    }
  }
  return points;
}

}  // namespace muster::esc
