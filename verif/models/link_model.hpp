// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/link/lockstep_link_bank.hpp"
#include "models/link/verilated_link_bank.hpp"
#include "models/link_models.hpp"

namespace muster::verif {

/// Of the class `V` that Verilator made; what is to be known of the parameters `P` a bank takes
/// from its configuration.
template <class V, class P>
inline constexpr LinkMakers link_makers = {
    [](const fabric::LinkConfig& config, std::uint32_t ends,
       const fabric::BankOptions& options) -> std::unique_ptr<fabric::LinkBank> {
      return std::make_unique<VerilatedLinkBank<V>>(ends, options, config);
    },
    [](std::unique_ptr<fabric::LinkBank> golden,
       std::unique_ptr<fabric::LinkBank> rtl) -> std::unique_ptr<fabric::LinkBank> {
      return std::make_unique<LockstepLinkBank>(std::move(golden), std::move(rtl));
    }};

}  // namespace muster::verif
