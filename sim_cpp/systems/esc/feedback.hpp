// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/esc/sources.hpp"

namespace muster::esc {

/// Counters beside the output buffers of one enabled stage: packets in each of them, kept from what
/// enters and leaves on the links. docs/systems/esc.md.
class BufferCounts {
 public:
  BufferCounts(const Cube& cube, const OuterStages& stages, unsigned stage)
      : cube_(cube),
        stage_(stage),
        base_(std::size_t{stage - stages.last()} * cube.pes()),
        fill_(cube.pes()) {}

  void start() { std::fill(fill_.begin(), fill_.end(), 0); }
  /// Packets in the buffer of output link `link` at the beginning of the cycle.
  std::uint32_t fill(std::uint32_t link) const {
    return fill_[cube_.box(stage_, link) * cube_.size() + cube_.port(stage_, link)];
  }
  /// The edge of the cycle.
  void clock(const CycleView& view) {
    for (std::uint32_t p = 0; p < fill_.size(); ++p) {
      if (view.tx[base_ + p] != 0) fill_[p] -= view.tx_ready[base_ + p];
      if (view.rx_ready[base_ + p] == 0) continue;
      const BoxPacket packet = view.rx[base_ + p];
      const std::uint32_t box = p & ~(cube_.size() - 1);
      if (broadcast_in(packet, stage_))
        for (std::uint32_t o = 0; o < cube_.size(); ++o) ++fill_[box + o];
      else
        ++fill_[box + cube_.digit(tag_of(packet), stage_)];
    }
  }

 private:
  Cube cube_;
  unsigned stage_;
  std::size_t base_;                 ///< first port of the stage in the bank
  std::vector<std::uint32_t> fill_;  ///< by port of the stage
};

/// The wires on which boxes tell PEs what their output buffers hold, docs/systems/esc.md: the
/// feedback wire of each coordinator under throttling, the fill counts of the input stage under the
/// adaptive choice. In a cycle: show(), the network settles, clock().
class Feedback {
 public:
  Feedback(const Spec& spec, const Cube& cube)
      : limit_(spec.reference == Reference::kThrottle ? spec.throttle_limit : 0),
        counts_(cube, spec.stages(), limit_ != 0 ? 0 : cube.input_stage()),
        wire_(spec.hot_spots) {}

  void start(const SessionPlan& plan) {
    plan_ = plan;
    counts_.start();
    std::fill(wire_.begin(), wire_.end(), 0);
  }
  /// Writes busy, by PE, or fill, by link of the input stage; the other is left as it is.
  void show(std::span<std::uint8_t> busy, std::span<std::uint8_t> fill) const {
    if (limit_ != 0)
      for (std::uint32_t pe = 0; pe < busy.size(); ++pe) busy[pe] = wire_[plan_.group(pe)];
    else
      for (std::uint32_t link = 0; link < fill.size(); ++link)
        fill[link] = static_cast<std::uint8_t>(counts_.fill(link));
  }
  void clock(const CycleView& view) {
    for (std::uint32_t group = 0; limit_ != 0 && group < wire_.size(); ++group)
      wire_[group] = counts_.fill(plan_.hot[group]) >= limit_;
    counts_.clock(view);
  }

 private:
  std::uint32_t limit_;  ///< T; 0: not throttled
  BufferCounts counts_;  ///< of the stage that is looked at
  SessionPlan plan_;
  std::vector<std::uint8_t> wire_;  ///< by group: its coordinator is busy
};

}  // namespace muster::esc
