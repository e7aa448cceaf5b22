// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/fabric/lockstep_switch_bank.hpp"
#include "models/fabric/verilated_switch_bank.hpp"
#include "models/switch_models.hpp"

namespace muster::verif {

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr SwitchMakers switch_makers = {
    [](std::uint32_t blocks, const fabric::SwitchConfig& config,
       const fabric::BankOptions& options) -> std::unique_ptr<core::Bank> {
      return std::make_unique<VerilatedSwitchBank<V, P::Ports, P::Vcs, P::FlitW>>(
          blocks, options, fabric::has_extra_credit(fabric::sync_credits(config)));
    },
    [](std::unique_ptr<core::Bank> golden,
       std::unique_ptr<core::Bank> rtl) -> std::unique_ptr<core::Bank> {
      return std::make_unique<LockstepSwitchBank>(std::move(golden), std::move(rtl));
    }};

}  // namespace muster::verif
