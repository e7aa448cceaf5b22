// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/test.hpp"

namespace muster::testing {

/// What the host can do with a field: read it, write it, both, or read it and clear it by a write,
/// of any value or of 1.
enum class Access { kR, kW, kRW, kRC, kR1 };

inline constexpr unsigned kOnehot = 1;   ///< at most one bit may be set
inline constexpr unsigned kNonzero = 2;  ///< 0 is written as 1
inline constexpr unsigned kSettles = 4;  ///< reads 0 some time after reset
inline constexpr unsigned kMoves = 8;    ///< changes by itself

/// A field of a register, as rdl/ has it (rdl/properties.rdl). Texts are names of parameters.
struct RegisterBits {
  std::string_view name;
  unsigned low, width;
  Access access;
  std::uint32_t reset;
  std::string_view kept, reads, below, needs;
  std::uint32_t most;      ///< a greater value is written as this one; 0: none is
  std::string_view shows;  ///< `register.field` whose value it has
  unsigned flags;
};

/// An array of registers, with as many as a parameter says, if there is one.
struct RegisterArray {
  std::uint32_t count, stride;
  std::string_view many;
};

struct RegisterWord {
  std::string_view name;
  std::uint32_t address;
  std::vector<RegisterArray> arrays;
  std::string_view needs;
  std::vector<RegisterBits> fields;
};

}  // namespace muster::testing
