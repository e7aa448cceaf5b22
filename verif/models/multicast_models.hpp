// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "network/engine_registry.hpp"

namespace muster::verif {

/// A Verilated multicast switch that was built, with the function that makes banks of it. It has no
/// barrier registers: `regs` of the configuration is 1, the least that is legal, and means nothing.
struct MulticastModel {
  network::SwitchConfig config;
  std::unique_ptr<network::Bank> (*make)(std::uint32_t blocks, const network::BankOptions&);
};

/// One for each entry of kind `multicast` in rtl/configurations.json, in its order.
std::span<const MulticastModel> multicast_models();

/// The model whose parameters are those of `config` (name and regs do not count), or nullptr.
const MulticastModel* find_multicast_model(const network::SwitchConfig& config);

}  // namespace muster::verif
