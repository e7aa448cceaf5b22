// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "systems/esc/blocks/injection_bank.hpp"

namespace muster::verif {

/// How the banks of a model of kind `injection` are made.
struct InjectionMakers {
  static constexpr std::string_view kKind = "injection";
  std::unique_ptr<esc::InjectionBank> (*rtl)(const esc::InjectionConfig& config, std::uint32_t pes);
  std::unique_ptr<esc::InjectionBank> (*lockstep)(std::unique_ptr<esc::InjectionBank> golden,
                                                  std::unique_ptr<esc::InjectionBank> rtl,
                                                  const esc::InjectionConfig& config);
};

struct InjectionModel {
  std::uint32_t size;  ///< n of the boxes
};

/// Those of listed_models() that are injection blocks.
std::vector<InjectionModel> injection_models();

}  // namespace muster::verif
