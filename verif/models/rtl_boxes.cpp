// SPDX-License-Identifier: Apache-2.0
#include "models/rtl_boxes.hpp"

#include "models/box_models.hpp"
#include "models/injection_models.hpp"
#include "models/model_library.hpp"
#include "models/policy_models.hpp"
#include "systems/esc/blocks/box_blocks.hpp"

namespace muster::verif {

bool RtlBoxes::supports(const esc::BoxConfig& config) const { return knows(block_of(config)); }

std::vector<esc::BoxConfig> RtlBoxes::built() const {
  std::vector<esc::BoxConfig> configs;
  for (const BoxModel& model : box_models()) configs.push_back(model.config);
  return configs;
}

std::unique_ptr<esc::BoxBank> RtlBoxes::make_boxes(const esc::BoxConfig& config,
                                                   std::vector<std::uint8_t> stages) const {
  return makers<BoxMakers>(load(block_of(config))).rtl(std::move(stages), skip_idle_);
}

std::unique_ptr<esc::PolicyBank> RtlBoxes::make_policies(const esc::PolicyConfig& config,
                                                         std::uint32_t pes) const {
  return makers<PolicyMakers>(load(block_of(config))).rtl(config, pes, skip_idle_);
}

std::unique_ptr<esc::InjectionBank> RtlBoxes::make_injections(const esc::InjectionConfig& config,
                                                              std::uint32_t pes) const {
  return makers<InjectionMakers>(load(block_of(config))).rtl(config, pes);
}

}  // namespace muster::verif
