// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_configurations.hpp"
#include "models/box_models.hpp"
#include "models/injection_models.hpp"
#include "models/link_models.hpp"
#include "models/model_library.hpp"
#include "models/nic_models.hpp"
#include "models/policy_models.hpp"
#include "models/switch_models.hpp"
#include "systems/esc/blocks/box_blocks.hpp"
#include "systems/nic/nic_configurations.hpp"

namespace muster::verif {
namespace {

/// make(entry) of the listed models of a kind.
template <class Listed, class Make>
std::vector<Listed> of_kind(std::string_view kind, Make make) {
  std::vector<Listed> models;
  for (const fabric::BlockEntry& entry : listed_models())
    if (entry.kind == kind) models.push_back({make(entry)});
  return models;
}

}  // namespace

std::vector<SwitchModel> switch_models(const fabric::SwitchKind& kind) {
  std::vector<SwitchModel> models;
  for (const fabric::BlockEntry& entry : listed_models())
    if (entry.block.top == kind.module) models.push_back({fabric::switch_config(entry, kind)});
  return models;
}

std::vector<NicModel> nic_models() { return of_kind<NicModel>(NicMakers::kKind, nic::nic_config); }

std::vector<LinkModel> link_models() {
  return of_kind<LinkModel>(LinkMakers::kKind, fabric::link_config);
}

std::vector<BoxModel> box_models() { return of_kind<BoxModel>(BoxMakers::kKind, esc::box_config); }

std::vector<PolicyModel> policy_models() {
  return of_kind<PolicyModel>(PolicyMakers::kKind, [](const fabric::BlockEntry& entry) {
    return entry.block.param("Size");
  });
}

std::vector<InjectionModel> injection_models() {
  return of_kind<InjectionModel>(InjectionMakers::kKind, [](const fabric::BlockEntry& entry) {
    return entry.block.param("Size");
  });
}

}  // namespace muster::verif
