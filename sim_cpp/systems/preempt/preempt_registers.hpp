// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/register_map.hpp"

namespace muster::preempt::registers {

/// Addresses and fields of the register port that preempting switches have besides those of every
/// switch (fabric/register_map.hpp), for the host's side; the prose is
/// docs/systems/preempting-switches.md.

#include "systems/preempt/preempting_switch_registers.inc"

/// The word of kTimes, in cycles.
constexpr std::uint32_t times(std::uint32_t idle, std::uint32_t gap, std::uint32_t longest) {
  return kTimesLongest.put(longest) | kTimesGap.put(gap) | kTimesIdle.put(idle);
}
/// Cycles of a hop of a later message, besides its flits and its link; of switch III, where it
/// stands in an input buffer first.
inline constexpr std::uint32_t kHop = 2, kHopThree = 3;
/// The bounds of the longest wait: with another channel to cut, with one alone to cut, and with no
/// other channel at all.
inline constexpr std::uint32_t kWaitAny = 3, kWaitOne = 20, kWaitSingle = 19;
/// A word of status table entry e, named by its address in entry 0.
constexpr std::uint32_t entry(std::uint32_t e, std::uint32_t word = kEntriesControl) {
  return word + kEntriesWords * e;
}
constexpr std::uint32_t entry_child(std::uint32_t e, std::uint32_t port) {
  return kAddressesChild + kAddressesWords * e + port;
}
/// The count is not cut to 11 bits: golden switches have addresses of up to 16.
constexpr std::uint32_t entry_word(std::uint32_t gid, bool center, std::uint32_t count) {
  return kEntriesControlValid.put(1) | kEntriesControlCenter.put(center) |
         count << kEntriesControlCount.low | kEntriesControlGid.put(gid);
}

}  // namespace muster::preempt::registers
