// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "systems/esc/checkers/buffer_counts.hpp"
#include "systems/esc/scheme/spec.hpp"

namespace muster::esc {

/// The adaptive choice of all PEs between the outputs of their boxes of the input stage, by what
/// their buffers hold. docs/systems/esc-references.md. In a cycle: choose(), the network settles,
/// clock().
class AdaptiveChoice {
 public:
  AdaptiveChoice(const Spec& spec, const Cube& cube);

  void start() { counts_.start(); }
  /// Completes the tags of the offers, by PE, which are destinations before.
  void choose(std::span<BoxPacket> offers) const;
  void clock(const CycleView& view) { counts_.clock(view); }

 private:
  std::uint32_t output(std::uint32_t pe) const;

  Cube cube_;
  BufferCounts counts_;  ///< of the input stage
};

}  // namespace muster::esc
