// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/checkers/purity_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::esc {

PurityCheck::PurityCheck(const Spec& spec)
    : cube_(spec.pes, spec.box.size),
      policy_(spec.policy),
      section_mask_(spec.sections_at_run_time ? spec.pes - 1 : esc::section_mask(spec)),
      routing_(cube_, spec.stages(), spec.faults),
      flagged_(spec.pes) {
  const unsigned stage = cube_.input_stage() - 1;
  if (stage == 0 || !spec.policy_acts() || spec.policy == InputPolicy::kStraight) return;
  for (std::uint32_t link = 0; link < spec.pes; ++link) {
    const std::uint32_t block = cube_.block(stage, cube_.box(stage, link));
    places_.push_back(block * cube_.size() + cube_.port(stage, link));
  }
}

void PurityCheck::start(const SessionPlan& plan) {
  plan_ = plan;
  std::fill(flagged_.begin(), flagged_.end(), Flagged{});
}

void PurityCheck::observe(const CycleView& view) {
  if (places_.empty()) return;
  for (std::uint32_t pe = 0; pe < flagged_.size(); ++pe) {
    if (view.taken[pe] == 0 || view.flags[pe] == 0) continue;
    if (kind_of(view.offers[pe]) != BoxKind::kBackground) continue;
    Flagged& flagged = flagged_[pe];
    flagged.from = std::min(flagged.from, birth_of(view.offers[pe]));
    flagged.to = birth_of(view.offers[pe]);
  }
  for (std::uint32_t link = 0; link < places_.size(); ++link) {
    const BoxPacket packet = view.rx[places_[link]];
    if (packet == 0 || view.rx_ready[places_[link]] == 0) continue;
    const bool reserved = cube_.digit(link, 0) == 0;
    const bool pure =
        kind_of(packet) == BoxKind::kSynchronization ? reserved : !reserved || allowed(packet);
    if (pure || has_no_other_way(packet)) {
      ++passed_;
    } else {
      violation(fmt::format("cycle {}: {:016x} from PE {} to PE {} enters stage {} on link {}",
                            view.cycle, packet, source_of(packet),
                            tag_of(packet) & (cube_.pes() - 1), cube_.input_stage() - 1, link));
    }
  }
}

/// A fault is on the ways that the policy has for it.
bool PurityCheck::has_no_other_way(BoxPacket packet) const {
  const std::uint32_t destination = tag_of(packet) & (cube_.pes() - 1);
  const auto is_cut = [&](std::uint32_t x) {
    return routing_.is_cut(source_of(packet), destination, x);
  };
  if (kind_of(packet) == BoxKind::kSynchronization) return is_cut(0);
  bool cut = true;
  for (std::uint32_t x = 1; x < cube_.size(); ++x) cut = cut && is_cut(x);
  return cut;
}

/// In a reserved box, for what is no synchronization message.
bool PurityCheck::allowed(BoxPacket packet) const {
  if (kind_of(packet) != BoxKind::kBackground) return true;
  const std::uint32_t source = source_of(packet);
  const Flagged& flagged = flagged_[source];
  if (birth_of(packet) < flagged.from || birth_of(packet) > flagged.to) return true;
  const std::uint32_t destination = tag_of(packet) & (cube_.pes() - 1);
  const std::uint32_t hot = plan_.hot_of(source);
  if (policy_ == InputPolicy::kIsolatedBackground) return false;
  if (destination == hot) return true;
  return policy_ == InputPolicy::kHotSection && ((destination ^ hot) & section_mask_) != 0 &&
         cube_.digit(source, 0) == 0;
}

}  // namespace muster::esc
