// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/retry_register.hpp"

/// The words of a register that repeats: 0x040 + 4r to 0x043 + 4r of docs/reference/registers.md.
namespace muster::golden {

namespace {
enum class RetryWord : std::uint32_t { kControl, kChildren, kProgress, kState };
constexpr std::uint32_t kAbortBit = 2;
}  // namespace

void RetryRegister::begin(std::uint32_t control, std::uint32_t gid_width) {
  RetryRegister next(data_.width);
  next.children_ = children_;
  next.valid_ = has(control, 31);
  next.turn_ = has(control, 30);
  next.claimed_ = has(control, 29);
  next.data_.op = static_cast<std::uint8_t>(control >> 26 & 7);
  next.epoch_ = static_cast<std::uint8_t>(control >> 24 & 3);
  next.parent_ = static_cast<std::uint8_t>(control >> 16 & 0xf);
  next.gid_ = static_cast<std::uint16_t>(control & (bit(gid_width) - 1));
  *this = next;
}

void RetryRegister::write(std::uint32_t word, std::uint32_t value, std::uint32_t ports,
                          std::uint32_t gid_width) {
  switch (static_cast<RetryWord>(word)) {
    case RetryWord::kControl:
      return begin(value, gid_width);
    case RetryWord::kChildren:
      children_ = static_cast<std::uint16_t>(value & (bit(ports) - 1));
      arrived_ &= children_;
      serve_ &= children_;
      return;
    case RetryWord::kState:
      if (has(value, kAbortBit)) abort(ports);
      return;
    default:
      return;
  }
}

std::uint32_t RetryRegister::read(std::uint32_t word) const {
  switch (static_cast<RetryWord>(word)) {
    case RetryWord::kControl:
      return std::uint32_t{valid_} << 31 | std::uint32_t{turn_} << 30 |
             std::uint32_t{claimed_} << 29 | std::uint32_t{data_.op} << 26 |
             std::uint32_t{epoch_} << 24 | std::uint32_t{parent_} << 16 | gid_;
    case RetryWord::kChildren:
      return children_;
    case RetryWord::kProgress:
      return std::uint32_t{serve_} << 16 | arrived_;
    default:
      return std::uint32_t{data_.folding} << 16 | std::uint32_t{age_} << 4 |
             std::uint32_t{suspect()} << 3 | std::uint32_t{failed_} << 2 |
             std::uint32_t{phase_} << 1 | std::uint32_t{sent_};
  }
}

}  // namespace muster::golden
