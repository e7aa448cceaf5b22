// SPDX-License-Identifier: Apache-2.0
#include "models/nic_models.hpp"

namespace muster::verif {

const NicModel* find_nic_model(const nic::NicConfig& config) {
  for (const NicModel& model : nic_models()) {
    nic::NicConfig same_name = config;
    same_name.name = model.config.name;
    if (same_name == model.config) return &model;
  }
  return nullptr;
}

}  // namespace muster::verif
