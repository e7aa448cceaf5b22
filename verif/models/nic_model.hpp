// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/nic/lockstep_nic_bank.hpp"
#include "models/nic/verilated_nic_bank.hpp"
#include "models/nic_models.hpp"

namespace muster::verif {

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr NicMakers nic_makers = {
    [](std::uint32_t nics, const fabric::BankOptions& options) -> std::unique_ptr<nic::NicBank> {
      return std::make_unique<VerilatedNicBank<V, P::FlitW>>(nics, options);
    },
    [](std::unique_ptr<nic::NicBank> golden,
       std::unique_ptr<nic::NicBank> rtl) -> std::unique_ptr<nic::NicBank> {
      return std::make_unique<LockstepNicBank>(std::move(golden), std::move(rtl));
    }};

}  // namespace muster::verif
