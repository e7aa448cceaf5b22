// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "network/engine_registry.hpp"
#include "network/nic_bank.hpp"
#include "network/nic_config.hpp"

namespace muster::verif {

/// A Verilated NIC barrier engine that was built, with the function that makes banks of it.
struct NicModel {
  network::NicConfig config;
  std::unique_ptr<network::NicBank> (*make)(std::uint32_t nics, const network::BankOptions&);
};

/// One for each entry of kind `nic` in rtl/configurations.json, in its order.
std::span<const NicModel> nic_models();

/// The model whose parameters are those of `config` (its name does not count), or nullptr.
const NicModel* find_nic_model(const network::NicConfig& config);

}  // namespace muster::verif
