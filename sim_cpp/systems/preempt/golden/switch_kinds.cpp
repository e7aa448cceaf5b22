// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/switch_kinds.hpp"

#include "fabric/golden/switch_bank.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"
#include "systems/preempt/bsr_text.hpp"
#include "systems/preempt/golden/preempt_switch.hpp"

namespace muster::preempt {
namespace {

std::uint32_t message_flits(const core::Flit& first) {
  return begins_bsr_message(first) ? bsr_length(bsr_type(first)) : 0;
}

constexpr fabric::SwitchKind kind(std::string_view name, std::string_view module,
                                  std::uint32_t number, fabric::SyncCredits credits,
                                  std::uint8_t cuttable, std::uint32_t min_depth) {
  return {.name = name,
          .module = module,
          .number = number,
          .max_vcs = 3,
          .usual_vcs = 2,  // with one channel I and II are the same machine
          .max_gid_w = 8,
          .sync_credits = credits,
          .message_flits = message_flits,
          .min_depth = min_depth,
          .cuttable = cuttable,
          .pads = true,
          .golden = golden::make_switch_bank<golden::PreemptSwitch>,
          .sync_text = bsr_text};
}

using enum fabric::SyncCredits;

}  // namespace

constinit const fabric::SwitchKind kBsr1 = kind("bsr-1", "bsr1_switch", 3, kBuffer, 7, 1);
constinit const fabric::SwitchKind kBsr2 = kind("bsr-2", "bsr2_switch", 4, kBuffer, 1, 1);
// A message has room in one queue.
constinit const fabric::SwitchKind kBsr3 = kind("bsr-3", "bsr3_switch", 5, kBoth, 7, 3);

}  // namespace muster::preempt
