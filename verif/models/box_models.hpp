// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "systems/esc/blocks/box_bank.hpp"

namespace muster::verif {

/// A Verilated interchange box that was built, with the function that makes banks of it. `stages`
/// as in BoxBank. With `skip_idle` boxes that are quiescent and have no packet at an input are
/// passed over, which changes nothing but the time it takes.
struct BoxModel {
  esc::BoxConfig config;
  std::unique_ptr<esc::BoxBank> (*make)(std::vector<std::uint8_t> stages, bool skip_idle);
};

/// One for each entry of kind `box` in rtl/configurations.json, in its order.
std::span<const BoxModel> box_models();

/// The model with these parameters, or nullptr.
const BoxModel* find_box_model(const esc::BoxConfig& config);

}  // namespace muster::verif
