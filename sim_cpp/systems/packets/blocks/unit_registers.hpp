// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Addresses and fields of the register port that switches with a barrier unit have besides those
/// of every switch, for the host's side; the prose is docs/systems/unit-switch.md.
namespace muster::packets::registers {

inline constexpr std::uint32_t kAddress = 0x008, kPolicy = 0x009;
inline constexpr std::uint32_t kWait = 1;  ///< of the policy
/// Of entry e.
constexpr std::uint32_t entry(std::uint32_t e) { return 0x400 + 32 * e; }
constexpr std::uint32_t entry_locals(std::uint32_t e) { return 0x401 + 32 * e; }
constexpr std::uint32_t entry_parent(std::uint32_t e) { return 0x402 + 32 * e; }
constexpr std::uint32_t entry_child(std::uint32_t e, std::uint32_t c) { return 0x410 + 32 * e + c; }
constexpr std::uint32_t entry_word(std::uint32_t gid, bool root, std::uint32_t children) {
  return 1u << 31 | std::uint32_t{root} << 30 | children << 16 | gid;
}

}  // namespace muster::packets::registers
