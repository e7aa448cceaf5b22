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

/// What put_bits() writes at once.
inline constexpr unsigned kBitsAtOnce = 8;

/// Writes the numbers of the bits that are set, lowest first; bit 0 has the number `first`. Returns
/// the place behind the last; it writes up to kBitsAtOnce beyond.
///
/// A loop over the bits of a word ends where no processor can predict it, which costs more than
/// what it does. Here eight numbers are written whatever the word has, of which those of set bits
/// count: no branch depends on the bits unless they are many.
inline std::uint32_t* put_bits(std::uint64_t bits, std::uint32_t first, std::uint32_t* next) {
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;  // of what does not count
  std::uint32_t* const end = next + std::popcount(bits);
  do {
    for (unsigned i = 0; i < kBitsAtOnce; ++i) {
      next[i] = first + static_cast<std::uint32_t>(std::countr_zero(bits | kTop));
      bits &= bits - 1;
    }
    next += kBitsAtOnce;
  } while (bits != 0);
  return end;
}

/// The numbers of the bits that are set in many words, as one list that a loop goes through.
class BitList {
 public:
  /// Room for so many numbers.
  explicit BitList(std::size_t room = 0) : numbers_(room + kBitsAtOnce) {}

  void clear() { count_ = 0; }  ///< no numbers are left
  /// The bits of a word, see put_bits().
  void add(std::uint64_t bits, std::uint32_t first) {
    std::uint32_t* const end = put_bits(bits, first, numbers_.data() + count_);
    count_ = static_cast<std::size_t>(end - numbers_.data());
  }
  std::span<const std::uint32_t> numbers() const { return {numbers_.data(), count_}; }  ///< so far

 private:
  std::vector<std::uint32_t> numbers_;
  std::size_t count_ = 0;
};

inline constexpr std::uint32_t kFlags = 64;  ///< of blocks, a byte each, looked at together

/// Bit i: flag i of kFlags, each 0 or 1, is set.
inline std::uint64_t set_flags(const std::uint8_t* flags) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t bits = 0;
  for (unsigned byte = 0; byte < kFlags / 8; ++byte) {
    std::uint64_t eight;
    std::memcpy(&eight, flags + 8 * byte, 8);
    // The product has flag i, which is bit 8i, in bit 56 + i of the highest byte, without carries.
    bits |= (eight * 0x0102040810204080u >> 56) << (8 * byte);
  }
  return bits;
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
