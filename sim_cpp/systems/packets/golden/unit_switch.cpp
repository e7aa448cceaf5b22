// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/golden/unit_switch.hpp"

#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "systems/packets/golden/multicast_switch.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

std::unique_ptr<core::Bank> multicast_switches(std::uint32_t blocks,
                                               const fabric::SwitchConfig& config) {
  return make_switch_bank<MulticastSwitch>(blocks, config);
}
std::unique_ptr<core::Bank> unit_switches(std::uint32_t blocks,
                                          const fabric::SwitchConfig& config) {
  return make_switch_bank<UnitSwitch>(blocks, config);
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
