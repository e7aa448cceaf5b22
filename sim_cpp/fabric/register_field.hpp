// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::fabric {

/// Bits of a word of a register port.
struct RegisterField {
  std::uint32_t low, width;

  /// Of the value in a word, when it is moved to bit 0.
  constexpr std::uint32_t ones() const {
    return width < 32 ? (std::uint32_t{1} << width) - 1 : ~std::uint32_t{0};
  }
  /// The bits of the field in a word.
  constexpr std::uint32_t mask() const { return ones() << low; }
  /// The value in a word.
  constexpr std::uint32_t of(std::uint32_t word) const { return word >> low & ones(); }
  /// A word with the value in it, which is cut to the field, and 0 elsewhere.
  constexpr std::uint32_t put(std::uint32_t value) const { return (value & ones()) << low; }
};

}  // namespace muster::fabric
