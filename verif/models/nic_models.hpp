// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "systems/nic/blocks/nic_factory.hpp"

namespace muster::verif {

/// How the banks of a model of kind `nic` are made.
struct NicMakers {
  static constexpr std::string_view kKind = "nic";
  std::unique_ptr<nic::NicBank> (*rtl)(std::uint32_t nics, const fabric::BankOptions& options);
  std::unique_ptr<nic::NicBank> (*lockstep)(std::unique_ptr<nic::NicBank> golden,
                                            std::unique_ptr<nic::NicBank> rtl);
};

struct NicModel {
  nic::NicConfig config;
};

/// Those of listed_models() that are NIC barrier engines.
std::vector<NicModel> nic_models();

}  // namespace muster::verif
