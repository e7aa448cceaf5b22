// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_field.hpp"

/// Addresses and fields of a link end's register port besides the identity word
/// (fabric/register_map.hpp), for the host's side; the prose is docs/systems/retry-link.md,
/// Registers.
namespace muster::fabric::link_registers {

// registers, written by scripts/registers from rdl/link_end.rdl
inline constexpr std::uint32_t kKind = 8;
enum class LinkReason : std::uint32_t {
  kNone = 0,
  kSilent = 1,
  kOther = 2,
  kOverflow = 3,
  kKilled = 4,
};
enum class LinkState : std::uint32_t {
  kWait = 0,
  kStart = 1,
  kUp = 2,
  kDown = 3,
};
inline constexpr std::uint32_t kStatus = 0x001;
inline constexpr fabric::RegisterField kStatusLost{24, 8};
inline constexpr fabric::RegisterField kStatusRejected{16, 8};
inline constexpr fabric::RegisterField kStatusReplays{8, 8};
inline constexpr fabric::RegisterField kStatusRestart{6, 1};
inline constexpr fabric::RegisterField kStatusDrained{5, 1};
inline constexpr fabric::RegisterField kStatusReason{2, 3};
inline constexpr fabric::RegisterField kStatusState{0, 2};
inline constexpr std::uint32_t kCommand = 0x001;
inline constexpr fabric::RegisterField kCommandClear{2, 1};
inline constexpr fabric::RegisterField kCommandKill{1, 1};
inline constexpr fabric::RegisterField kCommandRestart{0, 1};
inline constexpr std::uint32_t kWidths = 0x002;
inline constexpr fabric::RegisterField kWidthsRetries{28, 4};
inline constexpr fabric::RegisterField kWidthsTimeout{20, 8};
inline constexpr fabric::RegisterField kWidthsSlots{12, 8};
inline constexpr fabric::RegisterField kWidthsPocket{11, 1};
inline constexpr fabric::RegisterField kWidthsDepth{6, 5};
inline constexpr fabric::RegisterField kWidthsVcs{3, 3};
inline constexpr fabric::RegisterField kWidthsLossy{2, 1};
// end of registers

constexpr LinkState state(std::uint32_t status) {
  return static_cast<LinkState>(kStatusState.of(status));
}
constexpr LinkReason reason(std::uint32_t status) {
  return static_cast<LinkReason>(kStatusReason.of(status));
}

}  // namespace muster::fabric::link_registers
