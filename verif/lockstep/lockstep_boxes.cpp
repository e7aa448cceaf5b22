// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_boxes.hpp"

#include "models/box_models.hpp"
#include "models/injection_models.hpp"
#include "models/model_library.hpp"
#include "models/policy_models.hpp"
#include "systems/esc/blocks/box_blocks.hpp"
#include "systems/esc/golden/golden_boxes.hpp"

namespace muster::verif {

LockstepBoxes::LockstepBoxes() : golden_(golden::make_golden_boxes()) {}

bool LockstepBoxes::supports(const esc::BoxConfig& config) const { return rtl_.supports(config); }

std::vector<esc::BoxConfig> LockstepBoxes::built() const { return rtl_.built(); }

std::unique_ptr<esc::BoxBank> LockstepBoxes::make_boxes(const esc::BoxConfig& config,
                                                        std::vector<std::uint8_t> stages) const {
  auto reference = golden_->make_boxes(config, stages);
  auto device = rtl_.make_boxes(config, stages);
  return makers<BoxMakers>(load(block_of(config)))
      .lockstep(std::move(reference), std::move(device), std::move(stages));
}

std::unique_ptr<esc::PolicyBank> LockstepBoxes::make_policies(const esc::PolicyConfig& config,
                                                              std::uint32_t pes) const {
  return makers<PolicyMakers>(load(block_of(config)))
      .lockstep(golden_->make_policies(config, pes), rtl_.make_policies(config, pes), config);
}

std::unique_ptr<esc::InjectionBank> LockstepBoxes::make_injections(
    const esc::InjectionConfig& config, std::uint32_t pes) const {
  return makers<InjectionMakers>(load(block_of(config)))
      .lockstep(golden_->make_injections(config, pes), rtl_.make_injections(config, pes), config);
}

}  // namespace muster::verif
