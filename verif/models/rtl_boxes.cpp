// SPDX-License-Identifier: Apache-2.0
#include "models/rtl_boxes.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "models/box_models.hpp"
#include "models/policy_models.hpp"

namespace muster::verif {

const BoxModel* find_box_model(const esc::BoxConfig& config) {
  for (const BoxModel& model : box_models())
    if (model.config == config) return &model;
  return nullptr;
}

const PolicyModel& policy_model(std::uint32_t size) {
  for (const PolicyModel& model : policy_models())
    if (model.size == size) return model;
  throw InternalError(fmt::format("no input policy for boxes of size {} was built", size));
}

bool RtlBoxes::supports(const esc::BoxConfig& config) const {
  return find_box_model(config) != nullptr;
}

std::vector<esc::BoxConfig> RtlBoxes::built() const {
  std::vector<esc::BoxConfig> configs;
  for (const BoxModel& model : box_models()) configs.push_back(model.config);
  return configs;
}

std::unique_ptr<esc::BoxBank> RtlBoxes::make_boxes(const esc::BoxConfig& config,
                                                   std::vector<std::uint8_t> stages) const {
  return find_box_model(config)->make(std::move(stages), skip_idle_);
}

std::unique_ptr<esc::PolicyBank> RtlBoxes::make_policies(const esc::PolicyConfig& config,
                                                         std::uint32_t pes) const {
  return policy_model(config.size).make(config, pes, skip_idle_);
}

}  // namespace muster::verif
