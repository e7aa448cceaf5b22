// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "muster/fabric/formats.hpp"

namespace muster::fabric {

/// How the synchronization data of a group are combined; the number is that of the control word
/// (docs/reference/registers.md). Data are unsigned numbers.
enum class ReduceOp : std::uint8_t { kOr = 0, kXor = 1, kMax = 2, kSum = 3, kAnd = 4, kMin = 6 };

/// An operation by the name that `--op` has for it.
struct NamedReduceOp {
  const char* name;  ///< as typed
  ReduceOp op;       ///< that it means
};
/// All of them, in the order of `--help`.
inline constexpr std::array<NamedReduceOp, 6> kReduceOps{{{"or", ReduceOp::kOr},
                                                          {"and", ReduceOp::kAnd},
                                                          {"xor", ReduceOp::kXor},
                                                          {"min", ReduceOp::kMin},
                                                          {"max", ReduceOp::kMax},
                                                          {"sum", ReduceOp::kSum}}};

/// What two members' data of `width` bits make together; a SUM that does not fit is all ones.
inline Payload reduce(ReduceOp op, const Payload& a, const Payload& b, unsigned width) {
  __extension__ using Wide = unsigned __int128;
  const Wide x = Wide{a.hi} << 64 | a.lo, y = Wide{b.hi} << 64 | b.lo;
  const Wide most = (Wide{1} << width) - 1;
  Wide both = 0;
  switch (op) {
    case ReduceOp::kOr:
      both = x | y;
      break;
    case ReduceOp::kAnd:
      both = x & y;
      break;
    case ReduceOp::kXor:
      both = x ^ y;
      break;
    case ReduceOp::kMin:
      both = x < y ? x : y;
      break;
    case ReduceOp::kMax:
      both = x < y ? y : x;
      break;
    case ReduceOp::kSum:
      both = x + y > most ? most : x + y;
      break;
  }
  return {static_cast<std::uint64_t>(both), static_cast<std::uint16_t>(both >> 64)};
}

/// What `op` makes of any data is those data.
inline Payload neutral(ReduceOp op, unsigned width) {
  const bool ones = op == ReduceOp::kAnd || op == ReduceOp::kMin;
  return ones ? Formats::low_bits({~std::uint64_t{0}, 0xffff}, width) : Payload{};
}

}  // namespace muster::fabric
