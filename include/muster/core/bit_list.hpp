// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::core {

/// What put_bits() writes at once.
inline constexpr unsigned kBitsAtOnce = 8;

/// Writes the numbers of the bits that are set, lowest first; bit 0 has the number `first`. Returns
/// the place behind the last; it writes up to kBitsAtOnce beyond.
///
/// A loop over the bits of a word ends where no processor can predict it, which costs more than
/// what it does. Here eight numbers are written whatever the word has, and those count that are
/// meant: no branch depends on the bits unless they are many.
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

}  // namespace muster::core
