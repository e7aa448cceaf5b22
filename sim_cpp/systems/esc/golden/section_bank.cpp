// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "systems/esc/golden/injection_banks.hpp"

namespace muster::golden {
namespace {

/// Packets that are blocked aside before K doubles.
constexpr std::uint32_t kPatience = 4;

/// The number K of sections of each PE, chosen by which of its packets the box blocks.
class SectionBank final : public esc::InjectionBank {
 public:
  SectionBank(const esc::InjectionConfig& config, std::uint32_t pes)
      : InjectionBank(config, pes), blocked_(pes), doublings_(pes) {}

  void settle() override { offer_ = head_; }

  void clock(std::uint64_t /*cycle*/) override {
    leaves_ = taken_;
    for (std::uint32_t pe = 0; pe < blocks(); pe += config_.size) {
      const bool watched = flag_[pe] != 0 && esc::kind_of(head_[pe]) == esc::BoxKind::kBackground;
      if (!watched || taken_[pe] != 0) continue;
      if (asked_[pe] == 0) {
        blocked_[pe] = 0;
        doublings_[pe] = 0;
      } else if (++blocked_[pe] == kPatience) {
        blocked_[pe] = 0;
        doublings_[pe] = std::min(doublings_[pe] + 1, config_.address_bits);
      }
      const std::uint32_t all = (1u << config_.address_bits) - 1;
      sections_[pe] = all & ~(all >> doublings_[pe]);
    }
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> /*seeds*/) override {
    std::fill(blocked_.begin(), blocked_.end(), 0);
    std::fill(doublings_.begin(), doublings_.end(), 0);
  }

 private:
  std::vector<std::uint32_t> blocked_;    ///< packets aside, since K was changed or left at 1
  std::vector<std::uint32_t> doublings_;  ///< log2 K
};

}  // namespace

std::unique_ptr<esc::InjectionBank> make_section_bank(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) {
  return std::make_unique<SectionBank>(config, pes);
}

}  // namespace muster::golden
