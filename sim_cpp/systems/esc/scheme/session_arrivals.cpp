// SPDX-License-Identifier: Apache-2.0
// What packets that arrive do: they are measured, and the last of a group is answered.
#include <algorithm>

#include "systems/esc/blocks/combined_packet.hpp"
#include "systems/esc/scheme/session.hpp"

namespace muster::esc {

bool SessionRunner::counted(BoxPacket packet) const {
  return kind_of(packet) == BoxKind::kBackground && birth_of(packet) >= plan_.first &&
         birth_of(packet) <= last_;
}

void SessionRunner::arrive(std::uint32_t pe, BoxPacket packet) {
  ++result_.packets;
  const bool measured = counted(packet);
  if (kind_of(packet) != BoxKind::kBackground || (measured && last_ != kNever))
    progress_ = std::max(progress_, now_);
  if (kind_of(packet) == BoxKind::kRelease) {
    take_one(releases_due_, packet);
    if (policies_ && plan_.hot_of(pe) == source_of(packet)) policies_->clear()[pe] = 1;
    return;
  }
  if (combining_ && kind_of(packet) == BoxKind::kSynchronization) {
    arrive_combined(pe, packet);
    return;
  }
  const std::uint64_t delay = now_ - birth_of(packet) - stages_.count(cube_);
  const auto add = [delay](Delays& delays) {
    delays.sum += delay;
    ++delays.messages;
  };
  if (kind_of(packet) == BoxKind::kSynchronization) {
    add(result_.syn);
    const std::uint32_t group = plan_.group(source_of(packet));
    take_one(missing_[group], packet);
    if (missing_[group] == 0) respond(group);
  } else if (measured) {
    take_one(counted_inside_, packet);
    add(result_.background);
    if (std::find(plan_.hot.begin(), plan_.hot.end(), pe) != plan_.hot.end()) add(result_.hot);
  }
}

/// The births are those of the plan: they are taken from the sum when all have arrived.
void SessionRunner::arrive_combined(std::uint32_t pe, BoxPacket packet) {
  const std::uint32_t group = plan_.group(pe);
  for (std::uint32_t k = 0; k < esc::messages_of(packet); ++k) {
    take_one(missing_[group], packet);
    result_.syn.sum += now_ - stages_.count(cube_);
    ++result_.syn.messages;
  }
  if (missing_[group] != 0) return;
  for (std::uint32_t j = group; j < spec_.pes; j += spec_.hot_spots)
    if (plan_.time[j] != kNever) result_.syn.sum -= plan_.time[j];
  respond(group);
}

/// One less to come. If none was to come, the error waits until the checks have seen the cycle.
void SessionRunner::take_one(std::uint64_t& due, BoxPacket packet) {
  if (due != 0)
    --due;
  else
    surplus_ = packet;
}

/// All messages of the group have arrived in this cycle.
void SessionRunner::respond(std::uint32_t group) {
  if (std::all_of(missing_.begin(), missing_.end(), [](std::uint32_t m) { return m == 0; }))
    last_ = now_;
  if (spec_.release == Release::kNetwork) {
    releases_due_ += spec_.pes;
    sources_.release(plan_.hot[group], now_ + 1,
                     esc::make_release(broadcast_mask(cube_, stages_), plan_.hot[group], 0));
  } else if (policies_) {
    for (std::uint32_t pe = group; pe < spec_.pes; pe += spec_.hot_spots)
      policies_->clear()[pe] = 1;
  }
}

}  // namespace muster::esc
