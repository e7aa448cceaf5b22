// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/policy_bank.hpp"

namespace muster::golden {

using esc::BoxKind;
using esc::InputPolicy;
using esc::kind_of;
using esc::tag_of;

GoldenPolicyBank::GoldenPolicyBank(const esc::PolicyConfig& config, std::uint32_t pes)
    : PolicyBank(config, pes),
      address_mask_((1u << config.address_bits) - 1),
      random_(pes),
      drawn_(pes) {}

bool GoldenPolicyBank::to_output_0(std::uint32_t pe) const {
  if (config_.policy == InputPolicy::kStraight) return false;
  const esc::BoxPacket packet = offer_[pe];
  if (kind_of(packet) == BoxKind::kSynchronization) return true;
  return kind_of(packet) == BoxKind::kBackground && flag_[pe] != 0 &&
         config_.policy != InputPolicy::kIsolatedBackground &&
         (tag_of(packet) & address_mask_) == hot_[pe];
}

bool GoldenPolicyBank::aside(std::uint32_t pe) const {
  const esc::BoxPacket packet = offer_[pe];
  if (kind_of(packet) != BoxKind::kBackground || flag_[pe] == 0) return false;
  switch (config_.policy) {
    case InputPolicy::kStraight:
      return false;
    case InputPolicy::kIsolatedBackground:
      return true;
    case InputPolicy::kIsolatedHotSpot:
      return !to_output_0(pe);
    case InputPolicy::kHotSection:
      return !to_output_0(pe) &&
             (((tag_of(packet) & address_mask_) ^ hot_[pe]) & sections_[pe]) == 0;
  }
  return false;
}

void GoldenPolicyBank::settle() {
  for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
    const std::uint32_t link = pe & (config_.size - 1);
    const bool moved = link == 0 && aside(pe);
    drawn_[pe] = moved && config_.size > 2;
    const std::uint32_t digit = to_output_0(pe) ? 0
                                : moved ? 1 + (random_[pe].number() * (config_.size - 1) >> 16)
                                        : link;
    digit_[pe] = static_cast<std::uint8_t>(digit);
  }
}

void GoldenPolicyBank::clock(std::uint64_t /*cycle*/) {
  for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
    if (drawn_[pe] != 0) random_[pe].step();
    if (set_[pe] != 0)
      flag_[pe] = 1;
    else if (clear_[pe] != 0)
      flag_[pe] = 0;
  }
}

void GoldenPolicyBank::reset_blocks(std::span<const std::uint16_t> seeds) {
  for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
    random_[pe] = BlockRandom(seeds[pe]);
    drawn_[pe] = 0;
  }
}

}  // namespace muster::golden
