// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_switch.hpp"

#include "fabric/golden/switch_bank.hpp"

namespace muster::preempt {
namespace {

std::uint32_t message_flits(const core::Flit& first, const fabric::Formats& formats) {
  return begins_bsr_message(first) ? bsr_length(bsr_type(first), BsrFormat(formats)) : 0;
}

constexpr fabric::VariantParameter kVariants[] = {
    fabric::kCountersAlone[0],
    {.param = "Spares", .name = "spares", .most = kMostSpares, .buffers = true}};
static_assert(kVariants[kSparesVariant].buffers);

constexpr fabric::SwitchKind kind(std::string_view name, std::uint32_t architecture,
                                  fabric::SyncCredits credits, std::uint8_t cuttable,
                                  std::uint32_t min_depth) {
  constexpr std::uint32_t kFirstNumber = 3;
  return {.name = name,
          .module = "muster_bsr_switch",
          .architecture = architecture,
          .number = kFirstNumber + architecture - 1,
          .max_vcs = 3,
          .usual_vcs = 2,  // with one channel I and II are the same machine
          .max_gid_w = 8,
          .variants = kVariants,
          .sync_credits = credits,
          .message_flits = message_flits,
          .min_depth = min_depth,
          .max_ports = golden::kMaxPorts,
          .cuttable = cuttable,
          .pads = true,
          .golden = golden::make_switch_bank<golden::PreemptSwitch>,
          .sync_text = bsr_text};
}

using enum fabric::SyncCredits;

}  // namespace

constinit const fabric::SwitchKind kBsr1 = kind("bsr-1", 1, kBuffer, 7, 1);
constinit const fabric::SwitchKind kBsr2 = kind("bsr-2", 2, kBuffer, 1, 1);
// A message has room in one queue.
constinit const fabric::SwitchKind kBsr3 = kind("bsr-3", 3, kBoth, 7, 3);

}  // namespace muster::preempt
