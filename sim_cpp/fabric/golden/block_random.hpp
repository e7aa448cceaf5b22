// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::golden {

/// The random numbers of an interchange box or input policy (docs/systems/interchange-box.md): a
/// Galois LFSR of 16 bits, x^16 + x^15 + x^13 + x^4 + 1, and its draw bits, which lie five apart.
class BlockRandom {
 public:
  explicit BlockRandom(std::uint16_t seed = 1) : value_(seed == 0 ? 1 : seed) {}

  /// Draw bit k, 0..15.
  unsigned bit(unsigned k) const { return (value_ >> (5 * k % 16)) & 1u; }
  /// Draw bits 0..3, bit 0 least significant.
  unsigned low_four() const { return bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3; }
  /// All draw bits as a number, bit 0 most significant: 1..65535.
  std::uint32_t number() const {
    std::uint32_t u = 0;
    for (unsigned k = 0; k < 16; ++k) u = u << 1 | bit(k);
    return u;
  }
  void step() {
    value_ = static_cast<std::uint16_t>((value_ >> 1) ^ ((value_ & 1u) != 0 ? 0xD008u : 0u));
  }
  std::uint16_t value() const { return value_; }

 private:
  std::uint16_t value_;
};

}  // namespace muster::golden
