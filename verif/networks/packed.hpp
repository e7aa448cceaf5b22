// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace muster::verif {

/// Bits at..at + width - 1 of a packed array, whatever type Verilator gave it; 1 to 32 of them.
template <class Packed>
std::uint32_t bits(const Packed& packed, unsigned at, unsigned width) {
  std::uint64_t words = 0;
  const auto* const bytes = reinterpret_cast<const char*>(&packed);
  const unsigned first = at / 32 * 4;
  std::memcpy(&words, bytes + first, sizeof(Packed) - first < 8 ? sizeof(Packed) - first : 8);
  return static_cast<std::uint32_t>(words >> at % 32 & ((std::uint64_t{1} << width) - 1));
}

/// Sets these bits.
template <class Packed>
void set_bits(Packed& packed, unsigned at, unsigned width, std::uint32_t value) {
  std::uint64_t words = 0;
  auto* const bytes = reinterpret_cast<char*>(&packed);
  const unsigned first = at / 32 * 4;
  const unsigned size = sizeof(Packed) - first < 8 ? sizeof(Packed) - first : 8;
  std::memcpy(&words, bytes + first, size);
  const std::uint64_t mask = ((std::uint64_t{1} << width) - 1) << at % 32;
  words = (words & ~mask) | (std::uint64_t{value} << at % 32 & mask);
  std::memcpy(bytes + first, &words, size);
}

/// Element `e` of an array of elements of so many bits.
template <class Packed>
std::uint32_t element(const Packed& packed, unsigned e, unsigned width) {
  return bits(packed, e * width, width);
}
template <class Packed>
void set_element(Packed& packed, unsigned e, unsigned width, std::uint32_t value) {
  set_bits(packed, e * width, width, value);
}

}  // namespace muster::verif
