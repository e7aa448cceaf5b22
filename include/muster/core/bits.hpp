// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace muster::core {

/// A set of ports of a block: bit p for port p.
using PortMask = std::uint64_t;
/// The set of one port, 0..63.
constexpr PortMask port_bit(std::uint32_t port) { return PortMask{1} << port; }

/// Calls f with the number of each bit that is set, lowest first.
template <class F>
void for_each_bit(std::uint64_t bits, F&& f) {
  for (; bits != 0; bits &= bits - 1) f(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

inline constexpr std::uint32_t kFlags = 16;  ///< of blocks, a byte each, looked at together

/// The numbers of the flags that are set among many, as one list that a loop goes through.
class FlagList {
 public:
  /// Room for so many numbers.
  explicit FlagList(std::size_t room = 0) : numbers_(room + 8) {}

  void clear() { count_ = 0; }  ///< no numbers are left
  /// Of kFlags flags, each 0 or 1; the first has the number `first`.
  ///
  /// A loop over the bits of a word ends where no processor can predict it, which costs more than
  /// what it does. Here eight numbers are written whatever the flags are, of which those of set
  /// ones count: no branch depends on them.
  void add(const std::uint8_t* flags, std::uint32_t first) {
    static_assert(std::endian::native == std::endian::little);
    for (unsigned byte = 0; byte < kFlags; byte += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, flags + byte, 8);
      if (eight == 0) continue;
      // The product has flag i, which is bit 8i, in bit 56 + i, without carries.
      std::uint64_t bits = eight * 0x0102040810204080u >> 56;
      std::uint32_t* const next = numbers_.data() + count_;
      for (unsigned i = 0; i < 8; ++i) {
        next[i] = first + byte + static_cast<std::uint32_t>(std::countr_zero(bits | kTop));
        bits &= bits - 1;
      }
      count_ += eight * 0x0101010101010101u >> 56;  // their sum
    }
  }
  std::span<const std::uint32_t> numbers() const { return {numbers_.data(), count_}; }  ///< so far

 private:
  static constexpr std::uint64_t kTop = std::uint64_t{1} << 63;  ///< of what does not count
  std::vector<std::uint32_t> numbers_;
  std::size_t count_ = 0;
};

/// Calls f with the number of each flag that is set, lowest first. REQUIRES: a multiple of 8 flags,
/// each 0 or 1.
template <class F>
void for_each_flag(std::span<const std::uint8_t> flags, F&& f) {
  for (std::size_t first = 0; first < flags.size(); first += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, &flags[first], 8);
    for_each_bit(eight, [&](std::uint32_t bit) { f(static_cast<std::uint32_t>(first) + bit / 8); });
  }
}

/// Words with the ports of several blocks, numbered through: how they lie there and whose they are.
/// `kWidth`: bits of a port's number. It is known when this is compiled, for these are what the
/// loops over flits and credits calculate with.
template <unsigned kWidth>
struct PortWords {
  static constexpr std::uint32_t kBlocks = 64 >> kWidth;  ///< whose ports are in a word

  /// Where the mask of block i begins in a word, bit p for port p.
  static constexpr std::uint32_t together(std::uint32_t i) { return i << kWidth; }
  /// The block of bit `number` of such a word.
  static constexpr std::uint32_t together_block(std::uint32_t number) { return number >> kWidth; }
  /// The port of bit `number` of such a word.
  static constexpr std::uint32_t together_port(std::uint32_t number) {
    return number & ((1u << kWidth) - 1);
  }

  /// Where a mask begins that has bit 4p for port p: four blocks lie in one another.
  static constexpr std::uint32_t apart(std::uint32_t i) { return (i & 3u) | (i & ~3u) << kWidth; }
  /// The block of bit `number` of such a mask.
  static constexpr std::uint32_t apart_block(std::uint32_t number) {
    return (number & 3u) | (number >> (2 + kWidth)) << 2;
  }
  /// The port of bit `number` of such a mask.
  static constexpr std::uint32_t apart_port(std::uint32_t number) {
    return number >> 2 & ((1u << kWidth) - 1);
  }
};

/// Calls f with the width of PortWords for rows of so many ports, 1 to 16, as a constant.
template <class F>
void with_port_width(std::uint32_t ports, F&& f) {
  if (ports == 1) return f(std::integral_constant<unsigned, 0>());
  if (ports <= 4) return f(std::integral_constant<unsigned, 2>());
  if (ports <= 8) return f(std::integral_constant<unsigned, 3>());
  f(std::integral_constant<unsigned, 4>());
}

}  // namespace muster::core
