// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/checkers/buffer_counts.hpp"

#include <algorithm>

namespace muster::esc {

BufferCounts::BufferCounts(const Cube& cube, const OuterStages& stages, unsigned stage)
    : cube_(cube),
      stage_(stage),
      base_(std::size_t{stage - stages.last()} * cube.pes()),
      fill_(cube.pes()) {}

void BufferCounts::start() { std::fill(fill_.begin(), fill_.end(), 0); }

void BufferCounts::clock(const CycleView& view) {
  for (std::uint32_t p = 0; p < fill_.size(); ++p) {
    if (view.tx[base_ + p] != 0) fill_[p] -= view.tx_ready[base_ + p];
    if (view.rx_ready[base_ + p] == 0) continue;
    const BoxPacket packet = view.rx[base_ + p];
    const std::uint32_t box = p & ~(cube_.size() - 1);
    if (esc::broadcast_in(packet, stage_))
      for (std::uint32_t o = 0; o < cube_.size(); ++o) ++fill_[box + o];
    else
      ++fill_[box + cube_.digit(esc::tag_of(packet), stage_)];
  }
}

}  // namespace muster::esc
