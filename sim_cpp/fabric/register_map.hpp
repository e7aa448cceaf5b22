// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Addresses and fields of a switch's register port, for the host's side; the prose is
/// docs/reference/registers.md.
namespace muster::fabric::registers {

inline constexpr std::uint32_t kAddressWidth = 12, kDataWidth = 32;  ///< bits
inline constexpr std::uint32_t kMagic = 0x4D53, kMapVersion = 3;     ///< in the identity word
inline constexpr std::uint32_t kBarrierSwitch = 1, kMulticastSwitch = 2, kBsr1Switch = 3,
                               kBsr2Switch = 4, kBsr3Switch = 5;  ///< kinds in it

inline constexpr std::uint32_t kIdentity = 0x000, kSizes = 0x001, kWidths = 0x002;
inline constexpr std::uint32_t kMode = 0x003, kModeOwn = 1;
inline constexpr std::uint32_t kNoRouteDrops = 0x004;
inline constexpr std::uint32_t kPermits = 0x005;
inline constexpr std::uint32_t kSpill = 0x006;
inline constexpr std::uint32_t kHold = 0x007;
inline constexpr std::uint32_t kDrops = 0x010;         ///< + port
inline constexpr std::uint32_t kAgentDrops = 0x020;    ///< + port
inline constexpr std::uint32_t kRoutes = 0x800;        ///< + destination
inline constexpr std::uint32_t kRouteSelf = 1u << 16;  ///< in an entry without next ports

/// Of barrier register r.
constexpr std::uint32_t control(std::uint32_t r) { return 0x040 + 4 * r; }
constexpr std::uint32_t children(std::uint32_t r) { return 0x041 + 4 * r; }
constexpr std::uint32_t progress(std::uint32_t r) { return 0x042 + 4 * r; }

// Of preempting switches (docs/systems/preempting-switches.md).
inline constexpr std::uint32_t kPreemptAddress = 0x008, kPreemptPolicy = 0x009,
                               kPreemptTimes = 0x00A, kPreemptLfsr = 0x00B,
                               kPreemptLongestWait = 0x00C;
inline constexpr std::uint32_t kPreemptRandom = 1, kPreemptUnpadded = 2;  ///< of the policy
constexpr std::uint32_t preempt_times(std::uint32_t idle, std::uint32_t gap,
                                      std::uint32_t longest) {
  return longest << 16 | gap << 8 | idle;
}
inline constexpr std::uint32_t kPreemptHop = 5;  ///< cycles of a hop besides its link
/// The bounds of the longest wait: with another channel to cut, and with one alone.
inline constexpr std::uint32_t kPreemptWaitAny = 3, kPreemptWaitOne = 20;
/// Of status table entry e.
constexpr std::uint32_t entry(std::uint32_t e) { return 0x400 + 32 * e; }
constexpr std::uint32_t entry_locals(std::uint32_t e) { return 0x401 + 32 * e; }
constexpr std::uint32_t entry_word(std::uint32_t gid, bool center, std::uint32_t count) {
  return 1u << 31 | std::uint32_t{center} << 30 | count << 8 | gid;
}

inline constexpr std::uint32_t kClaimed = 1u << 29;  ///< in a control word

constexpr std::uint32_t control_word(std::uint32_t gid, std::uint32_t parent_port, bool turn,
                                     std::uint32_t op = 0) {
  return (op << 26) | (1u << 31) | (std::uint32_t{turn} << 30) | (parent_port << 16) | gid;
}
constexpr std::uint32_t arrived(std::uint32_t progress_word) { return progress_word & 0xffff; }
constexpr std::uint32_t to_serve(std::uint32_t progress_word) { return progress_word >> 16; }

}  // namespace muster::fabric::registers
