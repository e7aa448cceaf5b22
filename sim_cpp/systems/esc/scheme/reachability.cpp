// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/reachability.hpp"

#include <bit>
#include <vector>

namespace muster::esc {
namespace {

/// For each link of one stage: which of 64 sources have a way there.
using SourceSet = std::vector<std::uint64_t>;

void remove(std::span<const Fault> faults, FaultKind kind, unsigned stage, SourceSet& at) {
  for (const Fault& fault : faults)
    if (fault.kind == kind && fault.stage == stage) at[fault.index] = 0;
}

void pass_boxes(const Cube& cube, std::span<const Fault> faults, unsigned stage, SourceSet& at) {
  SourceSet boxes(cube.boxes_per_stage());
  for (std::uint32_t link = 0; link < cube.pes(); ++link) boxes[cube.box(stage, link)] |= at[link];
  remove(faults, FaultKind::kBox, stage, boxes);
  for (std::uint32_t link = 0; link < cube.pes(); ++link) at[link] = boxes[cube.box(stage, link)];
}

/// The links to the PEs, for the sources first .. first + 63.
SourceSet reached(const Cube& cube, const OuterStages& stages, std::span<const Fault> faults,
                  std::uint32_t first) {
  const unsigned m = cube.input_stage();
  SourceSet at(cube.pes());
  for (std::uint32_t k = 0; k < 64 && first + k < cube.pes(); ++k)
    at[first + k] = std::uint64_t{1} << k;
  if (stages.input) {
    remove(faults, FaultKind::kLink, m + 1, at);
    pass_boxes(cube, faults, m, at);
  } else {
    remove(faults, FaultKind::kBypass, m, at);
  }
  remove(faults, FaultKind::kLink, m, at);
  for (unsigned stage = m - 1; stage >= 1; --stage) {
    pass_boxes(cube, faults, stage, at);
    remove(faults, FaultKind::kLink, stage, at);
  }
  if (stages.output) {
    pass_boxes(cube, faults, 0, at);
    remove(faults, FaultKind::kLink, 0, at);
  } else {
    remove(faults, FaultKind::kBypass, 0, at);
  }
  return at;
}

}  // namespace

std::uint64_t connected_pairs(const Cube& cube, const OuterStages& stages,
                              std::span<const Fault> faults) {
  std::uint64_t pairs = 0;
  for (std::uint32_t first = 0; first < cube.pes(); first += 64)
    for (const std::uint64_t sources : reached(cube, stages, faults, first))
      pairs += static_cast<std::uint64_t>(std::popcount(sources));
  return pairs;
}

}  // namespace muster::esc
