// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_boxes.hpp"

#include "fabric/golden/golden_engine.hpp"
#include "lockstep/esc/lockstep_box_bank.hpp"
#include "lockstep/esc/lockstep_policy_bank.hpp"

namespace muster::verif {

LockstepBoxes::LockstepBoxes() : golden_(golden::make_golden_engine()) {}

bool LockstepBoxes::supports(const esc::BoxConfig& config) const { return rtl_.supports(config); }

std::vector<esc::BoxConfig> LockstepBoxes::built() const { return rtl_.built(); }

std::unique_ptr<esc::BoxBank> LockstepBoxes::make_boxes(const esc::BoxConfig& config,
                                                        std::vector<std::uint8_t> stages) const {
  auto reference = golden_->boxes()->make_boxes(config, stages);
  auto device = rtl_.make_boxes(config, stages);
  return std::make_unique<LockstepBoxBank>(std::move(reference), std::move(device),
                                           std::move(stages));
}

std::unique_ptr<esc::PolicyBank> LockstepBoxes::make_policies(const esc::PolicyConfig& config,
                                                              std::uint32_t pes) const {
  return std::make_unique<LockstepPolicyBank>(golden_->boxes()->make_policies(config, pes),
                                              rtl_.make_policies(config, pes), config);
}

}  // namespace muster::verif
