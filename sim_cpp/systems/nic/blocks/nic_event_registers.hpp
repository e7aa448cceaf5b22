// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_field.hpp"

/// What a NIC with parameter Chained has in the place of step lists, for the host's side; the prose
/// is docs/systems/nic-events.md.
namespace muster::nic::event_registers {

// registers, written by scripts/registers from rdl/nic_events.rdl
inline constexpr std::uint32_t kEventsWord = 0x400;
inline constexpr std::uint32_t kEventsWords = 32;
inline constexpr fabric::RegisterField kEventsWordWrite{31, 1};
inline constexpr fabric::RegisterField kEventsWordLast{30, 1};
inline constexpr fabric::RegisterField kEventsWordNeed{26, 4};
inline constexpr fabric::RegisterField kEventsWordNext{21, 5};
inline constexpr fabric::RegisterField kEventsWordSlot{16, 5};
inline constexpr fabric::RegisterField kEventsWordPeer{0, 11};
// end of registers

}  // namespace muster::nic::event_registers
