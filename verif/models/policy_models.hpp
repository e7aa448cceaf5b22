// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "systems/esc/blocks/policy_bank.hpp"

namespace muster::verif {

/// How the banks of a model of kind `policy` are made. With `skip_idle` policies without an input
/// are skipped, which changes only the time.
struct PolicyMakers {
  static constexpr std::string_view kKind = "policy";
  std::unique_ptr<esc::PolicyBank> (*rtl)(const esc::PolicyConfig& config, std::uint32_t pes,
                                          bool skip_idle);
  std::unique_ptr<esc::PolicyBank> (*lockstep)(std::unique_ptr<esc::PolicyBank> golden,
                                               std::unique_ptr<esc::PolicyBank> rtl,
                                               const esc::PolicyConfig& config);
};

struct PolicyModel {
  std::uint32_t size;  ///< n of the boxes
};

/// Those of listed_models() that are input policies.
std::vector<PolicyModel> policy_models();

}  // namespace muster::verif
