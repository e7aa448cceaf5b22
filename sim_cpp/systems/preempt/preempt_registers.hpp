// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_map.hpp"

namespace muster::preempt::registers {

/// Addresses and fields of the register port that preempting switches have besides those of every
/// switch (fabric/register_map.hpp), for the host's side; the prose is
/// docs/systems/preempting-switches.md.

// registers, written by scripts/registers from rdl/preempting_switch.rdl
inline constexpr std::uint32_t kAddress = 0x008;
inline constexpr fabric::RegisterField kAddressNode{0, 11};
inline constexpr std::uint32_t kPolicy = 0x009;
inline constexpr fabric::RegisterField kPolicyUnpadded{1, 1};
inline constexpr fabric::RegisterField kPolicyRandom{0, 1};
inline constexpr std::uint32_t kTimes = 0x00a;
inline constexpr fabric::RegisterField kTimesLongest{16, 16};
inline constexpr fabric::RegisterField kTimesGap{8, 8};
inline constexpr fabric::RegisterField kTimesIdle{0, 8};
inline constexpr std::uint32_t kTimesReset = 0x01000210;
inline constexpr std::uint32_t kLfsr = 0x00b;
inline constexpr fabric::RegisterField kLfsrValue{0, 16};
inline constexpr std::uint32_t kLfsrReset = 0x00000001;
inline constexpr std::uint32_t kLongestWait = 0x00c;
inline constexpr fabric::RegisterField kLongestWaitCycles{0, 16};
inline constexpr std::uint32_t kClosed = 0x00d;
inline constexpr fabric::RegisterField kClosedOutputs{0, 16};
inline constexpr std::uint32_t kPortDrops = 0x010;
inline constexpr fabric::RegisterField kPortDropsOutOfPhase{24, 8};
inline constexpr fabric::RegisterField kPortDropsWrongSource{16, 8};
inline constexpr fabric::RegisterField kPortDropsUnknownGroup{8, 8};
inline constexpr fabric::RegisterField kPortDropsMalformed{0, 8};
inline constexpr std::uint32_t kEntriesControl = 0x400;
inline constexpr std::uint32_t kEntriesWords = 32;
inline constexpr fabric::RegisterField kEntriesControlValid{31, 1};
inline constexpr fabric::RegisterField kEntriesControlCenter{30, 1};
inline constexpr fabric::RegisterField kEntriesControlTree{29, 1};
inline constexpr fabric::RegisterField kEntriesControlBranch{28, 1};
inline constexpr fabric::RegisterField kEntriesControlSent{27, 1};
inline constexpr fabric::RegisterField kEntriesControlTidy{26, 1};
inline constexpr fabric::RegisterField kEntriesControlRefused{25, 1};
inline constexpr fabric::RegisterField kEntriesControlCount{8, 11};
inline constexpr fabric::RegisterField kEntriesControlGid{0, 8};
inline constexpr std::uint32_t kEntriesLocals = 0x401;
inline constexpr fabric::RegisterField kEntriesLocalsChildren{16, 16};
inline constexpr fabric::RegisterField kEntriesLocalsPorts{0, 16};
inline constexpr std::uint32_t kEntriesProgress = 0x402;
inline constexpr fabric::RegisterField kEntriesProgressServe{16, 16};
inline constexpr fabric::RegisterField kEntriesProgressArrived{0, 16};
inline constexpr std::uint32_t kEntriesWays = 0x403;
inline constexpr fabric::RegisterField kEntriesWaysCenter{16, 16};
inline constexpr fabric::RegisterField kEntriesWaysParent{0, 16};
inline constexpr std::uint32_t kEntriesChild = 0x410;
inline constexpr fabric::RegisterField kEntriesChildNode{0, 16};
// end of registers

/// The word of kTimes, in cycles.
constexpr std::uint32_t times(std::uint32_t idle, std::uint32_t gap, std::uint32_t longest) {
  return kTimesLongest.put(longest) | kTimesGap.put(gap) | kTimesIdle.put(idle);
}
/// Cycles of a hop of a two-flit message, besides its link; of switch III, where it stands in an
/// input buffer first.
inline constexpr std::uint32_t kHop = 4, kHopThree = 5;
/// The bounds of the longest wait: with another channel to cut, with one alone to cut, and with no
/// other channel at all.
inline constexpr std::uint32_t kWaitAny = 3, kWaitOne = 20, kWaitSingle = 19;
/// Of status table entry e.
constexpr std::uint32_t entry(std::uint32_t e) { return kEntriesControl + kEntriesWords * e; }
constexpr std::uint32_t entry_locals(std::uint32_t e) { return kEntriesLocals + kEntriesWords * e; }
constexpr std::uint32_t entry_progress(std::uint32_t e) {
  return kEntriesProgress + kEntriesWords * e;
}
/// Switch of the center, and the parent.
constexpr std::uint32_t entry_ways(std::uint32_t e) { return kEntriesWays + kEntriesWords * e; }
/// The count is not cut to 11 bits: golden switches have addresses of up to 16.
constexpr std::uint32_t entry_word(std::uint32_t gid, bool center, std::uint32_t count) {
  return kEntriesControlValid.put(1) | kEntriesControlCenter.put(center) |
         count << kEntriesControlCount.low | kEntriesControlGid.put(gid);
}

}  // namespace muster::preempt::registers
