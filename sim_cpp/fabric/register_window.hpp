// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_field.hpp"

/// What a barrier switch with groups in block RAM has in the place of barrier registers, for the
/// host's side; the prose is docs/systems/many-groups.md.
namespace muster::fabric::window_registers {

// registers, written by scripts/registers from rdl/group_window.rdl
inline constexpr std::uint32_t kControl = 0x040;
inline constexpr fabric::RegisterField kControlValid{31, 1};
inline constexpr fabric::RegisterField kControlTurn{30, 1};
inline constexpr fabric::RegisterField kControlClaimed{29, 1};
inline constexpr fabric::RegisterField kControlOp{26, 3};
inline constexpr fabric::RegisterField kControlParent{16, 4};
inline constexpr fabric::RegisterField kControlGid{0, 12};
inline constexpr std::uint32_t kChildren = 0x041;
inline constexpr fabric::RegisterField kChildrenPorts{0, 16};
inline constexpr std::uint32_t kProgress = 0x042;
inline constexpr fabric::RegisterField kProgressServe{16, 16};
inline constexpr fabric::RegisterField kProgressArrived{0, 16};
inline constexpr std::uint32_t kState = 0x043;
inline constexpr fabric::RegisterField kStateWaits{1, 1};
inline constexpr fabric::RegisterField kStateSent{0, 1};
inline constexpr std::uint32_t kSelect = 0x044;
inline constexpr fabric::RegisterField kSelectClearing{31, 1};
inline constexpr fabric::RegisterField kSelectGid{0, 12};
inline constexpr std::uint32_t kGroups = 0x045;
inline constexpr fabric::RegisterField kGroupsCount{0, 32};
// end of registers

}  // namespace muster::fabric::window_registers
