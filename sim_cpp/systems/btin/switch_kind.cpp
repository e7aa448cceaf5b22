// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/barrier_message.hpp"
#include "systems/golden_switches.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::btin {

namespace {

// In the order of Variant.
constexpr fabric::VariantParameter kVariants[] = {
    {.param = "Serial", .name = "serial", .pockets = true},
    {.param = "Guard", .name = "guard", .min_depth = 2, .in_rdl = true},
    {.param = "Spill",
     .name = "spill",
     .message_bits = fabric::kTypeWidth + fabric::kSpillPlaceWidth,
     .most_ports = 16,  // of a spill place
     .pockets = true,
     .in_rdl = true},
    {.param = "Retry",
     .name = "retry",
     .message_bits = fabric::kTypeWidth + fabric::kRetryWidth + 2,  // 2 bits of data
     .repeats = true,
     .in_rdl = true,
     .excludes = 0b00101},  // Serial, Spill
    {.param = "Groups",
     .name = "groups",
     .suffix = "many",
     .most = 4096,
     .pockets = true,
     .group_memory = true},
    {.param = "Straggler",
     .name = "straggler",
     .in_rdl = true,
     .excludes = 0b01001},  // Serial, Retry
    {.param = "Counters", .name = "counters", .in_rdl = true},
    {.param = "Ops", .name = "ops", .most = 2, .excludes = 0b01001},  // Serial, Retry
    {.param = "Labels",
     .name = "labels",
     .most_ports = 16,
     .labels = true,
     .in_rdl = true,
     .excludes = 0b01101},                                    // Serial, Spill, Retry
    {.param = "Parity", .name = "parity", .needs = 1u << 6},  // Counters
    {.param = "Queued",
     .name = "queued",
     .queued = true,
     .excludes = 0b1'0000'1111}};  // Serial, Guard, Spill, Retry, Labels

}  // namespace

constinit const fabric::SwitchKind kBarrierSwitch = {
    .name = "barrier",
    .module = "muster_barrier_switch",
    .number = 1,
    .variants = kVariants,
    .max_rtl_ports = 32,
    .credit_turn = 2,
    .phases = true,
    .late_writes = true,
    .golden = golden::by_ports<golden::narrow::barrier_switches, golden::wide::barrier_switches>,
    .sync_text = fabric::barrier_message_text};

}  // namespace muster::btin
