// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_field.hpp"

/// Addresses and fields of the register port that switches with a barrier unit have besides those
/// of every switch (fabric/register_map.hpp), for the host's side; the prose is
/// docs/systems/unit-switch.md.
namespace muster::packets::registers {

// registers, written by scripts/registers from rdl/unit_switch.rdl
inline constexpr std::uint32_t kAddress = 0x008;
inline constexpr fabric::RegisterField kAddressNode{0, 16};
inline constexpr std::uint32_t kPolicy = 0x009;
inline constexpr fabric::RegisterField kPolicyWaits{0, 1};
inline constexpr std::uint32_t kPortDrops = 0x010;
inline constexpr fabric::RegisterField kPortDropsOutOfPhase{24, 8};
inline constexpr fabric::RegisterField kPortDropsWrongSource{16, 8};
inline constexpr fabric::RegisterField kPortDropsUnknownGroup{8, 8};
inline constexpr fabric::RegisterField kPortDropsMalformed{0, 8};
inline constexpr std::uint32_t kEntriesControl = 0x400;
inline constexpr std::uint32_t kEntriesWords = 32;
inline constexpr fabric::RegisterField kEntriesControlValid{31, 1};
inline constexpr fabric::RegisterField kEntriesControlRoot{30, 1};
inline constexpr fabric::RegisterField kEntriesControlChildren{16, 5};
inline constexpr fabric::RegisterField kEntriesControlGid{0, 12};
inline constexpr std::uint32_t kEntriesLocals = 0x401;
inline constexpr fabric::RegisterField kEntriesLocalsPorts{0, 16};
inline constexpr std::uint32_t kEntriesParent = 0x402;
inline constexpr fabric::RegisterField kEntriesParentNode{0, 16};
inline constexpr std::uint32_t kEntriesChild = 0x410;
inline constexpr fabric::RegisterField kEntriesChildNode{0, 16};
// end of registers

/// Of entry e.
constexpr std::uint32_t entry(std::uint32_t e) { return kEntriesControl + kEntriesWords * e; }
constexpr std::uint32_t entry_locals(std::uint32_t e) { return kEntriesLocals + kEntriesWords * e; }
constexpr std::uint32_t entry_parent(std::uint32_t e) { return kEntriesParent + kEntriesWords * e; }
constexpr std::uint32_t entry_child(std::uint32_t e, std::uint32_t c) {
  return kEntriesChild + kEntriesWords * e + c;
}
constexpr std::uint32_t entry_word(std::uint32_t gid, bool root, std::uint32_t children) {
  return kEntriesControlValid.put(1) | kEntriesControlRoot.put(root) |
         kEntriesControlChildren.put(children) | kEntriesControlGid.put(gid);
}

}  // namespace muster::packets::registers
