// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fabric/engine_registry.hpp"

namespace muster::verif {

/// A Verilated switch that was built, with the function that makes banks of it.
struct SwitchModel {
  fabric::SwitchConfig config;
  std::unique_ptr<core::Bank> (*make)(std::uint32_t blocks, const fabric::BankOptions&);
};

/// One for each entry of kind `switch` in rtl/configurations.json, in its order.
std::span<const SwitchModel> switch_models();

/// Those of one kind.
std::vector<SwitchModel> switch_models(fabric::SwitchKind kind);

/// The model whose parameters are those of `config` (its name does not count), or nullptr.
const SwitchModel* find_switch_model(const fabric::SwitchConfig& config);

}  // namespace muster::verif
