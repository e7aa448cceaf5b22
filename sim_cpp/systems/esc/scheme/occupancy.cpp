// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/occupancy.hpp"

#include <algorithm>

namespace muster::esc {

Occupancy::Occupancy(const esc::Spec& spec, std::uint64_t from, std::uint64_t to)
    : cube_(spec.pes, spec.box.size),
      first_stage_(spec.stages().first(cube_)),
      last_stage_(spec.stages().last()),
      from_(from),
      to_(to),
      held_(std::size_t{spec.stages().count(cube_)} * spec.pes) {}

void Occupancy::start(const esc::SessionPlan& /*plan*/) {
  std::fill(held_.begin(), held_.end(), 0);
  frames_.clear();
}

void Occupancy::observe(const esc::CycleView& view) {
  if (view.cycle >= from_ && view.cycle <= to_) frames_.push_back(held_);
  const std::uint32_t n = cube_.size();
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (view.tx[k] != 0 && view.tx_ready[k] != 0) --held_[k];
    if (view.rx_ready[k] == 0) continue;
    const auto stage = last_stage_ + static_cast<unsigned>(k / cube_.pes());
    const std::size_t box = k / n * n;
    if (esc::broadcast_in(view.rx[k], stage)) {
      for (std::uint32_t o = 0; o < n; ++o) ++held_[box + o];
    } else {
      ++held_[box + cube_.digit(esc::tag_of(view.rx[k]), stage)];
    }
  }
}

std::size_t Occupancy::place(unsigned stage, std::uint32_t link) const {
  return std::size_t{stage - last_stage_} * cube_.pes() +
         std::size_t{cube_.box(stage, link)} * cube_.size() + cube_.port(stage, link);
}

std::uint8_t Occupancy::packets(std::size_t frame, unsigned stage, std::uint32_t link) const {
  return frames_[frame][place(stage, link)];
}

}  // namespace muster::esc
