// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "muster/fabric/engine_registry.hpp"

namespace muster::verif {

/// How the banks of a model of kind `switch` are made.
struct SwitchMakers {
  static constexpr std::string_view kKind = "switch";
  std::unique_ptr<core::Bank> (*rtl)(std::uint32_t blocks, const fabric::SwitchConfig& config,
                                     const fabric::BankOptions& options);
  std::unique_ptr<core::Bank> (*lockstep)(std::unique_ptr<core::Bank> golden,
                                          std::unique_ptr<core::Bank> rtl);
};

struct SwitchModel {
  fabric::SwitchConfig config;
};

/// Those of listed_models() that are switches of one kind.
std::vector<SwitchModel> switch_models(const fabric::SwitchKind& kind);

}  // namespace muster::verif
