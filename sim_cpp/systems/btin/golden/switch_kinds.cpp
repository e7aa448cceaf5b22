// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/switch_kinds.hpp"

#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/message_text.hpp"
#include "systems/btin/golden/barrier_switch.hpp"

namespace muster::btin {

constinit const fabric::SwitchKind kBarrierSwitch = {
    .name = "barrier",
    .module = "barrier_switch",
    .number = 1,
    .serial = true,
    .spill = true,
    .retry = true,
    .guard = true,
    .max_groups = 4096,
    .credit_turn = 2,
    .golden = golden::make_switch_bank<golden::BarrierSwitch>,
    .sync_text = fabric::barrier_message_text};

}  // namespace muster::btin
