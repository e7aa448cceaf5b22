// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "systems/esc/scheme/cube.hpp"
#include "systems/esc/scheme/cycle_view.hpp"

namespace muster::esc {

/// Counters beside the output buffers of one enabled stage: packets in each of them, kept from what
/// enters and leaves on the links. docs/systems/esc-references.md.
class BufferCounts {
 public:
  BufferCounts(const Cube& cube, const OuterStages& stages, unsigned stage);

  void start();
  /// Packets in the buffer of output link `link` at the beginning of the cycle.
  std::uint32_t fill(std::uint32_t link) const {
    return fill_[cube_.box(stage_, link) * cube_.size() + cube_.port(stage_, link)];
  }
  /// The edge of the cycle.
  void clock(const CycleView& view);

 private:
  Cube cube_;
  unsigned stage_;
  std::size_t base_;                 ///< first port of the stage in the bank
  std::vector<std::uint32_t> fill_;  ///< by port of the stage
};

}  // namespace muster::esc
