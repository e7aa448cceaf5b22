// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Addresses and fields of a link end's register port, for the host's side; the prose is
/// docs/systems/retry-link.md.
namespace muster::fabric::link_registers {

inline constexpr std::uint32_t kKind = 7;  ///< in the identity word
inline constexpr std::uint32_t kIdentity = 0x000, kStatus = 0x001, kWidths = 0x002;

// Writes of kStatus.
inline constexpr std::uint32_t kRestart = 1u << 0, kKill = 1u << 1, kClear = 1u << 2;

}  // namespace muster::fabric::link_registers
