// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace muster::core {

/// Words with the ports of several blocks, numbered through: how they lie there and whose they are.
/// `kWidth`: bits of a port's number. It is known when this is compiled, for these are what the
/// loops over flits and credits calculate with.
template <unsigned kWidth>
struct PortWords {
  static constexpr std::uint32_t kBlocks = 64 >> kWidth;  ///< whose ports are in a word

  /// Where the mask of block i begins in a word, bit p for port p.
  static constexpr std::uint32_t together(std::uint32_t i) { return i << kWidth; }
  static constexpr std::uint32_t together_block(std::uint32_t number) { return number >> kWidth; }
  static constexpr std::uint32_t together_port(std::uint32_t number) {
    return number & ((1u << kWidth) - 1);
  }

  /// Where a mask begins that has bit 4p for port p: four blocks lie in one another.
  static constexpr std::uint32_t apart(std::uint32_t i) { return (i & 3u) | (i & ~3u) << kWidth; }
  static constexpr std::uint32_t apart_block(std::uint32_t number) {
    return (number & 3u) | (number >> (2 + kWidth)) << 2;
  }
  static constexpr std::uint32_t apart_port(std::uint32_t number) {
    return number >> 2 & ((1u << kWidth) - 1);
  }
};

/// Calls f with the width of PortWords for blocks of so many ports, 1 to 16, as a constant.
template <class F>
void with_port_width(std::uint32_t ports, F&& f) {
  if (ports == 1) return f(std::integral_constant<unsigned, 0>());
  if (ports <= 4) return f(std::integral_constant<unsigned, 2>());
  if (ports <= 8) return f(std::integral_constant<unsigned, 3>());
  f(std::integral_constant<unsigned, 4>());
}

}  // namespace muster::core
