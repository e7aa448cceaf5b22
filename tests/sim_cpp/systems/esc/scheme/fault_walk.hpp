// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "muster/core/rng.hpp"
#include "systems/esc/scheme/cube.hpp"
#include "systems/esc/scheme/faults.hpp"

namespace muster::test {

/// Where a packet goes, link by link and box by box: a second opinion on every routing function.
struct Walk {
  std::vector<std::uint32_t> reached;  ///< PEs, one entry for each copy
  bool met = false;                    ///< it came to the fault, which did not stop it here
};

inline Walk walk(const esc::Cube& cube, const esc::OuterStages& stages, const esc::Fault& fault,
                 std::uint32_t source, std::uint32_t tag, std::uint32_t mask) {
  const unsigned m = cube.input_stage();
  Walk w{.reached = {source}};
  const auto come_to = [&](esc::FaultKind kind, unsigned stage, std::uint32_t index) {
    w.met |= fault == esc::Fault{kind, stage, index};
  };
  for (unsigned stage = m + 1; stage-- > 0;) {
    const bool enabled = stage == m ? stages.input : stage > 0 || stages.output;
    std::vector<std::uint32_t> next;
    for (const std::uint32_t link : w.reached) {
      if (!enabled) {
        come_to(esc::FaultKind::kBypass, stage, link);
        next.push_back(link);
        continue;
      }
      if (stage == m) come_to(esc::FaultKind::kLink, m + 1, link);
      come_to(esc::FaultKind::kBox, stage, cube.box(stage, link));
      const unsigned q = cube.exchanged(stage);
      for (std::uint32_t port = 0; port < cube.size(); ++port)
        if ((mask >> stage & 1) != 0 || port == cube.digit(tag, stage))
          next.push_back(cube.with_digit(link, q, port));
    }
    w.reached = std::move(next);
    // A bypassed output stage: the wires of stage 1 end at the demultiplexers.
    if (stage > 0 || enabled)
      for (const std::uint32_t link : w.reached) come_to(esc::FaultKind::kLink, stage, link);
  }
  std::sort(w.reached.begin(), w.reached.end());
  return w;
}

/// The three settings with a stage that sets digit 0.
inline const std::vector<esc::OuterStages> kSettings = {{.input = false, .output = true},
                                                        {.input = true, .output = true},
                                                        {.input = true, .output = false}};

/// `count` faults of the network without repetition, or all in order if there are no more.
inline std::vector<esc::Fault> some_faults(const esc::Cube& cube, std::size_t count, Rng& rng) {
  std::vector<esc::Fault> faults = esc::all_faults(cube);
  if (count >= faults.size()) return faults;
  for (std::size_t k = 0; k < count; ++k)
    std::swap(faults[k], faults[k + rng.below(faults.size() - k)]);
  faults.resize(count);
  return faults;
}

}  // namespace muster::test
