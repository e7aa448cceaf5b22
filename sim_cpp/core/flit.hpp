// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::core {

/// One flit on a link: `valid` is carried beside it (see BankWires). The payload is at most 80
/// bits: bits 63..0 in `lo`, 79..64 in `hi`; bits at and above FlitW are 0.
struct Flit {
  std::uint64_t lo = 0;
  std::uint16_t hi = 0;
  std::uint8_t vc = 0;      ///< virtual channel, 0..3
  std::uint8_t kind = 0;    ///< kSync, kHead, kTail or their absence (a body flit)
  std::uint32_t spare = 0;  ///< always 0: makes equality and hashing two words

  static constexpr std::uint8_t kTail = 1, kHead = 2, kSync = 4;

  bool sync() const { return kind & kSync; }
  bool head() const { return kind & kHead; }
  bool tail() const { return kind & kTail; }
  friend bool operator==(const Flit&, const Flit&) = default;
};
static_assert(sizeof(Flit) == 16);

}  // namespace muster::core
