// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"

// Kinds of switches that more than one system uses, and those of packets beside them.

namespace muster::btin {

/// docs/systems/barrier-switch.md.
extern const fabric::SwitchKind kBarrierSwitch;

/// Variants of kBarrierSwitch, in the order of its table, which says which of them go together.
struct Variant {
  std::uint32_t serial = 0;     ///< one barrier message a cycle, docs/systems/many-groups.md
  std::uint32_t guard = 0;      ///< it guards itself, docs/systems/guard.md
  std::uint32_t spill = 0;      ///< a spill port, docs/systems/barrier-switch.md
  std::uint32_t retry = 0;      ///< registers repeat messages, docs/systems/retry-registers.md
  std::uint32_t groups = 0;     ///< in block RAM, docs/systems/many-groups.md; 0: in registers
  std::uint32_t straggler = 0;  ///< registers know who arrived last, docs/systems/barrier-switch.md
  std::uint32_t counters = 0;   ///< counts of each port, and causes of an interrupt, likewise
  std::uint32_t ops = 0;        ///< on data: 0 all, 1 OR and AND, 2 none
  std::uint32_t labels = 0;     ///< messages name registers, docs/systems/barrier-switch.md
  std::uint32_t parity = 0;     ///< of tables, which golden has no damage in, likewise
  std::uint32_t queued = 0;     ///< messages wait in the queues of data, likewise
};
/// For a configuration, or a requirement, of this kind.
inline fabric::VariantValues values(const Variant& v) {
  return std::bit_cast<fabric::VariantValues>(v);
}
/// Of another kind: none.
inline Variant variant(const fabric::SwitchConfig& config) {
  return config.kind == &kBarrierSwitch ? std::bit_cast<Variant>(config.variant) : Variant{};
}

}  // namespace muster::btin

namespace muster::packets {

/// docs/systems/baselines.md.
extern const fabric::SwitchKind kMulticastSwitch;

/// docs/systems/baselines.md; golden only.
extern const fabric::SwitchKind kUnitSwitch;

}  // namespace muster::packets
