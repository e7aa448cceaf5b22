// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/injection_banks.hpp"

namespace muster::golden {
namespace {

/// The adaptive choice of a PE between the outputs of its box of the input stage, by what their
/// buffers hold.
class AdaptiveBank final : public esc::InjectionBank {
 public:
  using InjectionBank::InjectionBank;

  void settle() override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      offer_[pe] = head_[pe];
      const bool straight = esc::kind_of(head_[pe]) == esc::BoxKind::kRelease;
      digit_[pe] = static_cast<std::uint8_t>(straight ? pe & (config_.size - 1) : emptiest(pe));
    }
  }

  void clock(std::uint64_t /*cycle*/) override { leaves_ = taken_; }

 protected:
  void reset_blocks(std::span<const std::uint16_t> /*seeds*/) override {}

 private:
  std::uint32_t emptiest(std::uint32_t pe) const {
    const std::uint32_t own = pe & (config_.size - 1);
    const std::uint8_t* const fill = &fill_[pe - own];
    std::uint32_t best = own;
    for (std::uint32_t k = 1; k < config_.size; ++k) {
      const std::uint32_t x = (own + k) & (config_.size - 1);
      if (fill[x] < fill[best]) best = x;
    }
    return best;
  }
};

}  // namespace

std::unique_ptr<esc::InjectionBank> make_adaptive_bank(const esc::InjectionConfig& config,
                                                       std::uint32_t pes) {
  return std::make_unique<AdaptiveBank>(config, pes);
}

}  // namespace muster::golden
