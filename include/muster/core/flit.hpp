// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::core {

/// One flit on a link: `valid` is carried beside it (see BankWires). The payload is at most 80
/// bits: bits 63..0 in `lo`, 79..64 in `hi`; bits at and above FlitW are 0.
struct Flit {
  std::uint64_t lo = 0;     ///< payload, bits 63..0
  std::uint16_t hi = 0;     ///< payload, bits 79..64
  std::uint8_t vc = 0;      ///< virtual channel, 0..3
  std::uint8_t kind = 0;    ///< kSync, kHead, kTail or their absence (a body flit)
  std::uint32_t spare = 0;  ///< header bits of a frame between link ends, else 0

  static constexpr std::uint8_t kTail = 1;  ///< last of a packet
  static constexpr std::uint8_t kHead = 2;  ///< first of a packet
  static constexpr std::uint8_t kSync = 4;  ///< barrier message, of no packet
  /// Of a pad: a filler that stands in a gap of a packet and is no part of it. A node throws it
  /// away.
  static constexpr std::uint8_t kPad = kSync | kHead;
  /// First of a barrier message of several flits, whose others are kSync only.
  static constexpr std::uint8_t kFirst = kSync | kTail;
  /// What a switch tells its neighbour about a link: complete in itself, and of no packet.
  static constexpr std::uint8_t kControl = kSync | kHead | kTail;

  /// Payload of the cut mark, which ends a packet that is not whole: opcode 31, zeros.
  static constexpr std::uint64_t kCutWord = 0xf800;
  static constexpr Flit cut_mark(std::uint8_t vc) {  ///< in virtual channel `vc`
    return {.lo = kCutWord, .vc = vc, .kind = kHead | kTail};
  }

  bool sync() const { return kind & kSync; }  ///< a barrier message
  /// The first of a packet.
  bool head() const { return (kind & kHead) != 0 && !cut(); }
  bool tail() const { return kind & kTail; }  ///< the last of a packet
  /// A cut mark, whatever its other bits are. It is the tail of the packet that is open.
  bool cut() const { return kind == (kHead | kTail) && (lo >> 11 & 31) == kCutWord >> 11; }
  friend bool operator==(const Flit&, const Flit&) = default;
};
static_assert(sizeof(Flit) == 16);

}  // namespace muster::core
