// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "fabric/block_list.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "systems/nic/blocks/nic_config.hpp"

namespace muster::nic {

/// What block lists call these blocks.
inline constexpr std::string_view kBlockKind = "nic";

// Between block lists and configurations.
/// Throws InputError if a parameter is out of range.
NicConfig nic_config(const fabric::BlockEntry& entry);
fabric::Block block_of(const NicConfig& config);

/// The NIC barrier engines of rtl/configurations.json, in its order.
const std::vector<NicConfig>& nic_configurations();

/// Those that scripts/model built.
const std::vector<NicConfig>& own_nic_configurations();

/// The smallest of nic_configurations() that `engine` supports, with the link of `need` (vcs,
/// depth, flit_w), its seq_w, and at least its contexts, steps, connections, records. If none does,
/// golden makes `need` itself, another engine the smallest of own_nic_configurations() that does;
/// without any it throws InputError naming what is needed.
NicConfig choose_nic(const NicConfig& need, const fabric::BankFactory& engine);

}  // namespace muster::nic
