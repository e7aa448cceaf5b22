// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/barrier_message.hpp"
#include "systems/golden_switches.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::packets {

constinit const fabric::SwitchKind kMulticastSwitch = {
    .name = "multicast",
    .module = "muster_multicast_switch",
    .number = 2,
    .min_vcs = 2,
    .min_regs = 0,
    .max_regs = 0,
    .variants = fabric::kCountersAlone,
    .last_channel = fabric::LastChannel::kWorms,
    .golden =
        golden::by_ports<golden::narrow::multicast_switches, golden::wide::multicast_switches>,
    .sync_text = fabric::barrier_message_text};

constinit const fabric::SwitchKind kUnitSwitch = {
    .name = "unit",
    .module = "unit_switch",  // there is none
    .number = 7,
    .min_depth = fabric::kBarrierPacketFlits,
    .units = true,
    .golden = golden::by_ports<golden::narrow::unit_switches, golden::wide::unit_switches>,
    .sync_text = fabric::barrier_message_text};

}  // namespace muster::packets
