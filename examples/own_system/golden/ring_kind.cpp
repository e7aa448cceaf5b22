// SPDX-License-Identifier: Apache-2.0
#include "golden/ring_kind.hpp"

#include "golden/ring_bank.hpp"

namespace token_ring {

using namespace muster;

const fabric::SwitchKind kRingSwitch{
    .name = "ring",
    .module = "ring_switch",
    .number = 0x80,
    .min_vcs = 1,
    .min_regs = 1,
    .max_regs = 1,
    .golden = [](std::uint32_t blocks,
                 const fabric::SwitchConfig& config) -> std::unique_ptr<core::Bank> {
      return std::make_unique<RingBank>(blocks, validate(config));
    },
    .sync_text = fabric::barrier_message_text};

}  // namespace token_ring
