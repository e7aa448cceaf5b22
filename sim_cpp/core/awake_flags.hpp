// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace muster::core {

inline constexpr std::uint32_t kFlags = 64;  ///< of blocks, a byte each, looked at together

/// Bit i: flag i of kFlags, each 0 or 1, is set.
inline std::uint64_t set_flags(const std::uint8_t* flags) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t bits = 0;
  for (unsigned byte = 0; byte < kFlags / 8; ++byte) {
    std::uint64_t eight;
    std::memcpy(&eight, flags + 8 * byte, 8);
    // Flag i is bit 8i and goes to bit 56 + i: nothing else comes to the highest byte.
    bits |= (eight * 0x0102040810204080u >> 56) << (8 * byte);
  }
  return bits;
}

}  // namespace muster::core
