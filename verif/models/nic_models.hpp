// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "fabric/engine_registry.hpp"
#include "systems/nic/blocks/nic_bank.hpp"
#include "systems/nic/blocks/nic_config.hpp"

namespace muster::verif {

/// A Verilated NIC barrier engine that was built, with the function that makes banks of it.
struct NicModel {
  nic::NicConfig config;
  std::unique_ptr<nic::NicBank> (*make)(std::uint32_t nics, const fabric::BankOptions&);
};

/// One for each entry of kind `nic` in rtl/configurations.json, in its order.
std::span<const NicModel> nic_models();

/// The model whose parameters are those of `config` (its name does not count), or nullptr.
const NicModel* find_nic_model(const nic::NicConfig& config);

}  // namespace muster::verif
