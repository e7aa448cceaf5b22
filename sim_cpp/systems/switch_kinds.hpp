// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/switch_config.hpp"

// Kinds of switches that more than one system uses, and those of packets beside them.

namespace muster::btin {

/// docs/systems/barrier-switch.md.
extern const fabric::SwitchKind kBarrierSwitch;

/// Variants of kBarrierSwitch; which of them go together is in its table.
struct Variant {
  bool serial = false;       ///< one barrier message a cycle, docs/systems/many-groups.md
  bool guard = false;        ///< it guards itself, docs/systems/guard.md
  bool spill = false;        ///< a spill port, docs/systems/barrier-switch.md
  bool retry = false;        ///< registers repeat messages, docs/systems/retry-registers.md
  std::uint32_t groups = 0;  ///< in block RAM, docs/systems/many-groups.md; 0: in registers
  bool straggler = false;    ///< registers know who arrived last, docs/systems/barrier-switch.md
  bool counters = false;     ///< counts of each port, and causes of an interrupt, likewise
  std::uint32_t ops = 0;     ///< on data: 0 all, 1 OR and AND, 2 none
  bool labels = false;       ///< messages name registers, docs/systems/barrier-switch.md
  bool parity = false;       ///< of tables, which golden has no damage in, likewise
  bool queued = false;       ///< messages wait in the queues of data, likewise
};
/// For a configuration, or a requirement, of this kind.
inline fabric::VariantValues values(const Variant& v) {
  return {v.serial,   v.guard, v.spill,  v.retry,  v.groups, v.straggler,
          v.counters, v.ops,   v.labels, v.parity, v.queued};
}
/// Of another kind: none.
inline Variant variant(const fabric::SwitchConfig& config) {
  if (config.kind != &kBarrierSwitch) return {};
  const auto& v = config.variant;
  return {v[0] != 0, v[1] != 0, v[2] != 0, v[3] != 0, v[4],      v[5] != 0,
          v[6] != 0, v[7],      v[8] != 0, v[9] != 0, v[10] != 0};
}

}  // namespace muster::btin

namespace muster::packets {

/// docs/systems/baselines.md.
extern const fabric::SwitchKind kMulticastSwitch;

/// docs/systems/baselines.md; golden only.
extern const fabric::SwitchKind kUnitSwitch;

}  // namespace muster::packets
