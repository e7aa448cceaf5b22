// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace muster::fabric {

/// Kinds of switches that networks are made of. A new one is a line here and in kSwitchKinds, its
/// golden bank in fabric/golden/switch_kinds.cpp, and its entries in rtl/configurations.json.
enum class SwitchKind : std::uint8_t {
  kBarrier,    ///< docs/systems/barrier-switch.md
  kMulticast,  ///< docs/systems/multicast-switch.md
  kBsr1,       ///< docs/systems/preempting-switches.md: any data channel can be cut
  kBsr2,       ///< data channel 0 can be cut
  kBsr3        ///< a data channel whose flits move can be cut
};

/// What a network must know of a kind.
struct SwitchKindInfo {
  SwitchKind kind;
  std::string_view name;    ///< in results and messages
  std::string_view module;  ///< top module of its RTL: `top` in rtl/configurations.json
  std::uint32_t min_vcs, min_regs, max_regs;
  std::uint32_t max_gid_w;  ///< bits of a group identifier
  bool worms;               ///< the last virtual channel carries worms and nothing else
  bool preempts;            ///< the last virtual channel carries barrier messages and nothing else
};

inline constexpr SwitchKindInfo kSwitchKinds[] = {
    {SwitchKind::kBarrier, "barrier", "barrier_switch", 1, 1, 16, 12, false, false},
    {SwitchKind::kMulticast, "multicast", "multicast_switch", 2, 0, 0, 12, true, false},
    {SwitchKind::kBsr1, "bsr-1", "bsr1_switch", 2, 1, 16, 8, false, true},
    {SwitchKind::kBsr2, "bsr-2", "bsr2_switch", 2, 1, 16, 8, false, true},
    {SwitchKind::kBsr3, "bsr-3", "bsr3_switch", 2, 1, 16, 8, false, true},
};

constexpr const SwitchKindInfo& info(SwitchKind kind) {
  return kSwitchKinds[static_cast<std::size_t>(kind)];
}

/// By top module. Throws InputError.
inline SwitchKind switch_kind(std::string_view module) {
  for (const SwitchKindInfo& known : kSwitchKinds)
    if (known.module == module) return known.kind;
  throw InputError("no kind of switch has the top module '" + std::string(module) + "'");
}

}  // namespace muster::fabric
