// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Addresses and fields of a link end's register port, for the host's side; the prose is
/// docs/systems/retry-link.md, Registers.
namespace muster::fabric::link_registers {

inline constexpr std::uint32_t kKind = 8;  ///< in the identity word
inline constexpr std::uint32_t kIdentity = 0x000, kStatus = 0x001, kWidths = 0x002;

/// Written to kStatus.
inline constexpr std::uint32_t kRestart = 1, kKill = 2, kClear = 4;

enum class LinkState : std::uint32_t { kWait, kStart, kUp, kDown };
enum class LinkReason : std::uint32_t { kNone, kSilent, kOther, kOverflow, kKilled };

/// Fields of kStatus as it is read.
constexpr LinkState state(std::uint32_t status) { return static_cast<LinkState>(status & 3); }
constexpr LinkReason reason(std::uint32_t status) {
  return static_cast<LinkReason>(status >> 2 & 7);
}
constexpr bool drained(std::uint32_t status) { return status >> 5 & 1; }
constexpr bool restart(std::uint32_t status) { return status >> 6 & 1; }
constexpr std::uint32_t replays(std::uint32_t status) { return status >> 8 & 0xff; }
constexpr std::uint32_t rejected(std::uint32_t status) { return status >> 16 & 0xff; }
constexpr std::uint32_t lost(std::uint32_t status) { return status >> 24; }

}  // namespace muster::fabric::link_registers
