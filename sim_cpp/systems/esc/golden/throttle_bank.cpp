// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "systems/esc/golden/injection_banks.hpp"

namespace muster::golden {
namespace {

using esc::BoxKind;
using esc::BoxPacket;

/// Injection throttling on feedback: synchronization messages wait beside their queues while the
/// hot spot says that it is busy.
class ThrottleBank final : public esc::InjectionBank {
 public:
  ThrottleBank(const esc::InjectionConfig& config, std::uint32_t pes)
      : InjectionBank(config, pes), held_(pes), aside_(pes), from_held_(pes) {}

  void settle() override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      offer_[pe] = head_[pe];
      aside_[pe] = 0;
      from_held_[pe] = 0;
      if (held_[pe] != 0) {
        from_held_[pe] = busy_[pe] == 0 && (cycle_ & (turns() - 1)) == turn(pe);
        if (from_held_[pe] != 0) offer_[pe] = held_[pe];
      } else if (busy_[pe] != 0 && esc::kind_of(head_[pe]) == BoxKind::kSynchronization) {
        aside_[pe] = head_[pe];
        offer_[pe] = 0;
      }
    }
  }

  void clock(std::uint64_t /*cycle*/) override {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      const bool held_goes = taken_[pe] != 0 && from_held_[pe] != 0;
      leaves_[pe] = aside_[pe] != 0 || (taken_[pe] != 0 && !held_goes);
      if (aside_[pe] != 0) held_[pe] = aside_[pe];
      if (held_goes) held_[pe] = 0;
    }
    ++cycle_;
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> /*seeds*/) override {
    std::fill(held_.begin(), held_.end(), 0);
    cycle_ = 0;
  }

 private:
  std::vector<BoxPacket> held_;          ///< hold registers, 0 for empty
  std::vector<BoxPacket> aside_;         ///< goes into them at this edge
  std::vector<std::uint8_t> from_held_;  ///< the offer is the held message
  std::uint64_t cycle_ = 0;              ///< since reset
};

}  // namespace

std::unique_ptr<esc::InjectionBank> make_throttle_bank(const esc::InjectionConfig& config,
                                                       std::uint32_t pes) {
  return std::make_unique<ThrottleBank>(config, pes);
}

}  // namespace muster::golden
