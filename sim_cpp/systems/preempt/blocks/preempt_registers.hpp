// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Addresses and fields of the register port that preempting switches have besides those of every
/// switch (fabric/register_map.hpp), for the host's side; the prose is docs/reference/registers.md.
namespace muster::preempt::registers {

inline constexpr std::uint32_t kAddress = 0x008, kPolicy = 0x009, kTimes = 0x00A, kLfsr = 0x00B,
                               kLongestWait = 0x00C, kClosed = 0x00D;
inline constexpr std::uint32_t kRandom = 1, kUnpadded = 2;  ///< of the policy
/// The word of kTimes, in cycles: 8 bits each of idle and gap, 16 of longest.
constexpr std::uint32_t times(std::uint32_t idle, std::uint32_t gap, std::uint32_t longest) {
  return longest << 16 | gap << 8 | idle;
}
/// Cycles of a hop of a two-flit message, besides its link; of switch III, where it stands in an
/// input buffer first.
inline constexpr std::uint32_t kHop = 4, kHopThree = 5;
/// The bounds of the longest wait: with another channel to cut, with one alone to cut, and with no
/// other channel at all.
inline constexpr std::uint32_t kWaitAny = 3, kWaitOne = 20, kWaitSingle = 19;
/// Of status table entry e.
constexpr std::uint32_t entry(std::uint32_t e) { return 0x400 + 32 * e; }
constexpr std::uint32_t entry_locals(std::uint32_t e) { return 0x401 + 32 * e; }
constexpr std::uint32_t entry_progress(std::uint32_t e) { return 0x402 + 32 * e; }
/// Switch of the center, and the parent.
constexpr std::uint32_t entry_names(std::uint32_t e) { return 0x403 + 32 * e; }
constexpr std::uint32_t entry_word(std::uint32_t gid, bool center, std::uint32_t count) {
  return 1u << 31 | std::uint32_t{center} << 30 | count << 8 | gid;
}

}  // namespace muster::preempt::registers
