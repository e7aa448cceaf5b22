// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "systems/esc/blocks/policy_bank.hpp"

namespace muster::verif {

/// A Verilated input policy that was built, with the function that makes banks of it. With
/// `skip_idle` policies without an input are passed over, which changes nothing but the time.
struct PolicyModel {
  std::uint32_t size;  ///< n of the boxes
  std::unique_ptr<esc::PolicyBank> (*make)(const esc::PolicyConfig& config, std::uint32_t pes,
                                           bool skip_idle);
};

/// One for each entry of kind `policy` in rtl/configurations.json, in its order.
std::span<const PolicyModel> policy_models();

/// The model for boxes of this size. Throws InternalError if there is none: every size of box in
/// rtl/configurations.json has one.
const PolicyModel& policy_model(std::uint32_t size);

}  // namespace muster::verif
