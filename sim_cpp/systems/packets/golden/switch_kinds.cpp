// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/switch_kinds.hpp"

#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/message_text.hpp"
#include "systems/packets/golden/multicast_switch.hpp"
#include "systems/packets/golden/unit_switch.hpp"

namespace muster::packets {

constinit const fabric::SwitchKind kMulticastSwitch = {
    .name = "multicast",
    .module = "multicast_switch",
    .number = 2,
    .min_vcs = 2,
    .min_regs = 0,
    .max_regs = 0,
    .last_channel = fabric::LastChannel::kWorms,
    .golden = golden::make_switch_bank<golden::MulticastSwitch>,
    .sync_text = fabric::barrier_message_text};

constinit const fabric::SwitchKind kUnitSwitch = {
    .name = "unit",
    .module = "unit_switch",  // there is none
    .number = 7,
    .min_depth = fabric::kBarrierPacketFlits,
    .units = true,
    .golden = golden::make_switch_bank<golden::UnitSwitch>,
    .sync_text = fabric::barrier_message_text};

}  // namespace muster::packets
