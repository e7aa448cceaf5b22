// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/switch_kinds.hpp"

#include "fabric/golden/switch_bank.hpp"
#include "systems/preempt/bsr_text.hpp"
#include "systems/preempt/golden/preempt_switch.hpp"

namespace muster::preempt {
namespace {

constexpr fabric::SwitchKind kind(std::string_view name, std::string_view module,
                                  std::uint32_t number) {
  return {.name = name,
          .module = module,
          .number = number,
          .min_vcs = 2,
          .max_gid_w = 8,
          .last_channel = fabric::LastChannel::kBarriers,
          .pads = true,
          .golden = golden::make_switch_bank<golden::PreemptSwitch>,
          .sync_text = bsr_text};
}

}  // namespace

constinit const fabric::SwitchKind kBsr1 = kind("bsr-1", "bsr1_switch", 3);
constinit const fabric::SwitchKind kBsr2 = kind("bsr-2", "bsr2_switch", 4);
constinit const fabric::SwitchKind kBsr3 = kind("bsr-3", "bsr3_switch", 5);

}  // namespace muster::preempt
