// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Addresses and fields of a switch's register port, for the host's side; the prose is
/// docs/reference/registers.md. The numbers of kinds in the identity word: SwitchKind::number.
namespace muster::fabric::registers {

inline constexpr std::uint32_t kAddressWidth = 12, kDataWidth = 32;  ///< bits
inline constexpr std::uint32_t kWideAddressWidth = 17;  ///< with more than 2048 destinations
inline constexpr std::uint32_t kMagic = 0x4D53, kMapVersion = 5;  ///< in the identity word

inline constexpr std::uint32_t kIdentity = 0x000, kSizes = 0x001, kWidths = 0x002;
inline constexpr std::uint32_t kNoRouteDrops = 0x004;
inline constexpr std::uint32_t kPermits = 0x005;
inline constexpr std::uint32_t kSpill = 0x006;
inline constexpr std::uint32_t kHold = 0x007;
inline constexpr std::uint32_t kDrops = 0x010;    ///< barrier switches; in others + port
inline constexpr std::uint32_t kPeriods = 0x011;  ///< barrier switches whose registers repeat
inline constexpr std::uint32_t kAgentDrops = 0x020;
/// Of switches that guard themselves, docs/systems/guard.md.
inline constexpr std::uint32_t kRefusals = 0x012, kOverflows = 0x013, kPatience = 0x014,
                               kGivenUp = 0x015;
inline constexpr std::uint32_t kGroupPermits = 0x030;  ///< + port

/// In kPatience: of the latches of the spill, above that of the access unit.
inline constexpr std::uint32_t kSpillPatienceShift = 4;

/// Why a switch that guards itself has refused a write, in kRefusals.
enum class Refusal : std::uint8_t { kGroupInUse, kParentIsChild, kSpillPorts, kForeignGroup };
inline constexpr std::uint32_t kRoutes = 0x800;        ///< + destination
inline constexpr std::uint32_t kRouteSelf = 1u << 16;  ///< in an entry without next ports

/// Of barrier register r.
constexpr std::uint32_t control(std::uint32_t r) { return 0x040 + 4 * r; }
constexpr std::uint32_t children(std::uint32_t r) { return 0x041 + 4 * r; }
constexpr std::uint32_t progress(std::uint32_t r) { return 0x042 + 4 * r; }
constexpr std::uint32_t state(std::uint32_t r) { return 0x043 + 4 * r; }

/// With groups in block RAM the words of register 0 are those of the group selected here, as they
/// were then.
inline constexpr std::uint32_t kSelectGroup = 0x044;
inline constexpr std::uint32_t kGroups = 0x045;  ///< in block RAM

inline constexpr std::uint32_t kClaimed = 1u << 29;  ///< in a control word
inline constexpr std::uint32_t kEpochShift = 24;     ///< in a control word; 2 bits
inline constexpr std::uint32_t kPhase = 1u << 1;     ///< in state()
inline constexpr std::uint32_t kFailed = 1u << 2;    ///< in state(); written: abort
inline constexpr std::uint32_t kSuspect = 1u << 3;   ///< in state()
constexpr std::uint32_t folding(std::uint32_t state_word) { return state_word >> 16; }
constexpr std::uint32_t periods_word(std::uint32_t repeat_period, std::uint32_t age_period) {
  return age_period << 16 | repeat_period;
}

constexpr std::uint32_t control_word(std::uint32_t gid, std::uint32_t parent_port, bool reflect,
                                     std::uint32_t op = 0) {
  return (op << 26) | (1u << 31) | (std::uint32_t{reflect} << 30) | (parent_port << 16) | gid;
}
constexpr std::uint32_t arrived(std::uint32_t progress_word) { return progress_word & 0xffff; }
constexpr std::uint32_t to_serve(std::uint32_t progress_word) { return progress_word >> 16; }

/// Of kDrops and kAgentDrops of a barrier switch.
constexpr std::uint32_t drop_count(std::uint32_t word) { return word >> 24; }
constexpr std::uint32_t drop_port(std::uint32_t word) { return word >> 16 & 0xf; }

}  // namespace muster::fabric::registers
