// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/esc/lockstep_injection_bank.hpp"
#include "models/esc/verilated_injection_bank.hpp"
#include "models/injection_models.hpp"

namespace muster::verif {

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr InjectionMakers injection_makers = {
    [](const esc::InjectionConfig& config,
       std::uint32_t pes) -> std::unique_ptr<esc::InjectionBank> {
      static_assert(P::AddrW == 16, "InjectionConfig allows numbers of 16 bits");
      return std::make_unique<VerilatedInjectionBank<V>>(config, pes);
    },
    [](std::unique_ptr<esc::InjectionBank> golden, std::unique_ptr<esc::InjectionBank> rtl,
       const esc::InjectionConfig& config) -> std::unique_ptr<esc::InjectionBank> {
      return std::make_unique<LockstepInjectionBank>(std::move(golden), std::move(rtl), config);
    }};

}  // namespace muster::verif
