// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/esc/lockstep_policy_bank.hpp"
#include "models/esc/verilated_policy_bank.hpp"
#include "models/policy_models.hpp"

namespace muster::verif {

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr PolicyMakers policy_makers = {
    [](const esc::PolicyConfig& config, std::uint32_t pes,
       bool skip_idle) -> std::unique_ptr<esc::PolicyBank> {
      static_assert(P::AddrW == 16, "PolicyConfig allows numbers of 16 bits");
      return std::make_unique<VerilatedPolicyBank<V>>(config, pes, skip_idle);
    },
    [](std::unique_ptr<esc::PolicyBank> golden, std::unique_ptr<esc::PolicyBank> rtl,
       const esc::PolicyConfig& config) -> std::unique_ptr<esc::PolicyBank> {
      return std::make_unique<LockstepPolicyBank>(std::move(golden), std::move(rtl), config);
    }};

}  // namespace muster::verif
