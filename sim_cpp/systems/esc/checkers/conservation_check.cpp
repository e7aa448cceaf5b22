// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/checkers/conservation_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "systems/esc/blocks/combined_packet.hpp"

namespace muster::esc {

ConservationCheck::ConservationCheck(const Spec& spec)
    : n_(spec.box.size),
      capacity_(static_cast<std::int32_t>(n_ * spec.box.depth)),
      boxes_per_stage_(spec.pes / n_),
      last_stage_(spec.stages().last()),
      combining_(spec.reference == Reference::kCombining),
      held_(std::size_t{spec.stages().count(Cube(spec.pes, n_))} * boxes_per_stage_),
      messages_(held_.size()) {}

void ConservationCheck::start(const SessionPlan& /*plan*/) {
  std::fill(held_.begin(), held_.end(), 0);
  std::fill(messages_.begin(), messages_.end(), 0);
}

void ConservationCheck::observe(const CycleView& view) {
  cycle_ = view.cycle;
  if (combining_) return count_messages(view);
  switch (n_) {
    case 2:
      return count<2>(view);
    case 4:
      return count<4>(view);
    default:
      return count<8>(view);
  }
}

template <std::uint32_t N>
void ConservationCheck::count(const CycleView& view) {
  for (std::uint32_t b = 0; b < held_.size(); ++b) {
    const std::size_t k = std::size_t{b} * N;
    std::int32_t in = 0, out = 0, shown = 0;
    BoxPacket releases = 0;  // top bit: one of the packets is of kind 3
    for (std::size_t p = k; p < k + N; ++p) {
      const bool valid = view.tx[p] != 0;
      in += view.rx_ready[p];
      shown += valid;
      out += valid & view.tx_ready[p];
      releases |= view.rx[p] & (view.rx[p] << 1);
    }
    if (releases >> 63 != 0) in += copies(view, b);
    const std::int32_t before = held_[b], after = before + in - out;
    held_[b] = after;
    // One branch a box and cycle.
    if (((before > 0) != (shown > 0)) | (after < 0) | (after > capacity_))
      violation(fmt::format(
          "cycle {}: box {} of stage {} held {} packets, shows {}, takes {}, "
          "sends {}; it can hold {}",
          view.cycle, b % boxes_per_stage_, stage(b), before, shown, in, out, capacity_));
  }
  passed_ += held_.size();
}

void ConservationCheck::count_messages(const CycleView& view) {
  const auto combined = [](BoxPacket p) { return esc::kind_of(p) == BoxKind::kSynchronization; };
  for (std::uint32_t b = 0; b < held_.size(); ++b) {
    const std::int32_t held = held_[b], messages = messages_[b];
    bool shown = false;
    for (std::size_t p = std::size_t{b} * n_; p < std::size_t{b + 1} * n_; ++p) {
      const BoxPacket in = view.rx_ready[p] != 0 ? view.rx[p] : 0;
      const BoxPacket out = view.tx_ready[p] != 0 ? view.tx[p] : 0;
      shown = shown || view.tx[p] != 0;
      if (combined(in))
        messages_[b] += static_cast<std::int32_t>(esc::messages_of(in));
      else
        held_[b] += in != 0;
      if (combined(out))
        messages_[b] -= static_cast<std::int32_t>(esc::messages_of(out));
      else
        held_[b] -= out != 0;
    }
    held_[b] += copies(view, b);
    if ((held + messages > 0) != shown || held_[b] < 0 || messages_[b] < 0 || held_[b] > capacity_)
      violation(fmt::format(
          "cycle {}: box {} of stage {} held {} packets and {} messages, now {} and {}", view.cycle,
          b % boxes_per_stage_, stage(b), held, messages, held_[b], messages_[b]));
  }
  passed_ += held_.size();
}

/// Further copies of the packets that a box takes for a broadcast.
std::int32_t ConservationCheck::copies(const CycleView& view, std::uint32_t b) const {
  std::int32_t more = 0;
  for (std::size_t p = std::size_t{b} * n_; p < std::size_t{b + 1} * n_; ++p)
    if (view.rx_ready[p] != 0 && esc::broadcast_in(view.rx[p], stage(b))) more += n_ - 1;
  return more;
}

void ConservationCheck::finish() {
  for (std::uint32_t b = 0; b < held_.size(); ++b)
    if (held_[b] != 0 || messages_[b] != 0)
      violation(fmt::format("cycle {}: box {} of stage {} keeps {} packets", cycle_,
                            b % boxes_per_stage_, stage(b), held_[b] + messages_[b]));
}

}  // namespace muster::esc
