// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/golden_boxes.hpp"

namespace muster::golden {

using esc::BoxKind;
using esc::InputPolicy;
using esc::kind_of;
using esc::tag_of;

namespace {

class GoldenPolicyBank final : public esc::PolicyBank {
 public:
  GoldenPolicyBank(const esc::PolicyConfig& config, std::uint32_t pes)
      : PolicyBank(config, pes),
        address_mask_((1u << config.address_bits) - 1),
        random_(pes),
        drawn_(pes) {}

  void settle() override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      const std::uint32_t link = pe & (config_.size - 1);
      const bool moved = link == 0 && aside(pe);
      drawn_[pe] = moved && config_.size > 2;
      digit[pe] =
          static_cast<std::uint8_t>(to_output_0(pe) ? 0
                                    : moved ? 1 + (random_[pe].number() * (config_.size - 1) >> 16)
                                            : link);
    }
  }
  void clock(std::uint64_t /*cycle*/) override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      if (drawn_[pe] != 0) random_[pe].step();
      if (set[pe] != 0)
        flag[pe] = 1;
      else if (clear[pe] != 0)
        flag[pe] = 0;
    }
  }

 private:
  /// The packet of PE j must not take its usual way: away from output 0.
  bool aside(std::uint32_t pe) const {
    const esc::BoxPacket packet = offer[pe];
    if (kind_of(packet) != BoxKind::kBackground || flag[pe] == 0) return false;
    switch (config_.policy) {
      case InputPolicy::kStraight:
        return false;
      case InputPolicy::kIsolatedBackground:
        return true;
      case InputPolicy::kIsolatedHotSpot:
        return !to_output_0(pe);
      case InputPolicy::kHotSection:
        return !to_output_0(pe) &&
               (((tag_of(packet) & address_mask_) ^ hot[pe]) & sections[pe]) == 0;
    }
    return false;
  }
  bool to_output_0(std::uint32_t pe) const {
    if (config_.policy == InputPolicy::kStraight) return false;
    const esc::BoxPacket packet = offer[pe];
    if (kind_of(packet) == BoxKind::kSynchronization) return true;
    return kind_of(packet) == BoxKind::kBackground && flag[pe] != 0 &&
           config_.policy != InputPolicy::kIsolatedBackground &&
           (tag_of(packet) & address_mask_) == hot[pe];
  }
  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      random_[pe] = BlockRandom(seeds[pe]);
      drawn_[pe] = 0;
    }
  }

  std::uint32_t address_mask_;
  std::vector<BlockRandom> random_;
  std::vector<std::uint8_t> drawn_;  ///< settle() used the random number
};

using esc::BoxPacket;

/// Injection throttling on feedback: synchronization messages wait beside their queues while the
/// hot spot says that it is busy.
class ThrottleBank final : public esc::InjectionBank {
 public:
  ThrottleBank(const esc::InjectionConfig& config, std::uint32_t pes)
      : InjectionBank(config, pes), held_(pes), aside_(pes), from_held_(pes) {}

  void settle() override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      offer[pe] = head[pe];
      aside_[pe] = 0;
      from_held_[pe] = 0;
      if (held_[pe] != 0) {
        from_held_[pe] = busy[pe] == 0 && (cycle_ & (turns() - 1)) == turn(pe);
        if (from_held_[pe] != 0) offer[pe] = held_[pe];
      } else if (busy[pe] != 0 && esc::kind_of(head[pe]) == BoxKind::kSynchronization) {
        aside_[pe] = head[pe];
        offer[pe] = 0;
      }
    }
  }

  void clock(std::uint64_t /*cycle*/) override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      const bool held_goes = taken[pe] != 0 && from_held_[pe] != 0;
      leaves[pe] = aside_[pe] != 0 || (taken[pe] != 0 && !held_goes);
      if (aside_[pe] != 0) held_[pe] = aside_[pe];
      if (held_goes) held_[pe] = 0;
    }
    ++cycle_;
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> /*seeds*/) override {
    esc::clear_all(held_);
    cycle_ = 0;
  }

 private:
  std::vector<BoxPacket> held_;          ///< hold registers, 0 for empty
  std::vector<BoxPacket> aside_;         ///< goes into them at this edge
  std::vector<std::uint8_t> from_held_;  ///< the offer is the held message
  std::uint64_t cycle_ = 0;              ///< since reset
};

/// The adaptive choice of a PE between the outputs of its box of the input stage, by what their
/// buffers hold.
class AdaptiveBank final : public esc::InjectionBank {
 public:
  using InjectionBank::InjectionBank;

  void settle() override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      offer[pe] = head[pe];
      const bool straight = esc::kind_of(head[pe]) == esc::BoxKind::kRelease;
      digit[pe] = static_cast<std::uint8_t>(straight ? pe & (config_.size - 1) : emptiest(pe));
    }
  }

  void clock(std::uint64_t /*cycle*/) override { leaves = taken; }

 private:
  std::uint32_t emptiest(std::uint32_t pe) const {
    const std::uint32_t own = pe & (config_.size - 1);
    const std::uint8_t* const held = &fill[pe - own];
    std::uint32_t best = own;
    for (std::uint32_t k = 1; k < config_.size; ++k) {
      const std::uint32_t x = (own + k) & (config_.size - 1);
      if (held[x] < held[best]) best = x;
    }
    return best;
  }
};

/// Packets that are blocked aside before K doubles.
constexpr std::uint32_t kPatience = 4;

/// The number K of sections of each PE, chosen by which of its packets the box blocks.
class SectionBank final : public esc::InjectionBank {
 public:
  SectionBank(const esc::InjectionConfig& config, std::uint32_t pes)
      : InjectionBank(config, pes), blocked_(pes), doublings_(pes) {}

  void settle() override { offer = head; }

  void clock(std::uint64_t /*cycle*/) override {
    leaves = taken;
    for (std::uint32_t pe = 0; pe < blocks(); pe += config_.size) {
      const bool watched = flag[pe] != 0 && esc::kind_of(head[pe]) == esc::BoxKind::kBackground;
      if (!watched || taken[pe] != 0) continue;
      if (asked[pe] == 0) {
        blocked_[pe] = 0;
        doublings_[pe] = 0;
      } else if (++blocked_[pe] == kPatience) {
        blocked_[pe] = 0;
        doublings_[pe] = std::min(doublings_[pe] + 1, config_.address_bits);
      }
      const std::uint32_t all = (1u << config_.address_bits) - 1;
      sections[pe] = all & ~(all >> doublings_[pe]);
    }
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> /*seeds*/) override {
    esc::clear_all(blocked_, doublings_);
  }

 private:
  std::vector<std::uint32_t> blocked_;    ///< packets aside, since K was changed or left at 1
  std::vector<std::uint32_t> doublings_;  ///< log2 K
};

}  // namespace

std::unique_ptr<esc::PolicyBank> GoldenBoxes::make_policies(const esc::PolicyConfig& config,
                                                            std::uint32_t pes) const {
  return std::make_unique<GoldenPolicyBank>(config, pes);
}

std::unique_ptr<esc::InjectionBank> GoldenBoxes::make_injections(const esc::InjectionConfig& config,
                                                                 std::uint32_t pes) const {
  switch (config.scheme) {
    case esc::InjectionScheme::kThrottle:
      return std::make_unique<ThrottleBank>(config, pes);
    case esc::InjectionScheme::kAdaptive:
      return std::make_unique<AdaptiveBank>(config, pes);
    case esc::InjectionScheme::kSections:
      return std::make_unique<SectionBank>(config, pes);
  }
  return nullptr;
}

}  // namespace muster::golden
