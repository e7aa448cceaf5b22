// SPDX-License-Identifier: Apache-2.0
#include "run/configurations.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "fabric/configurations.hpp"
#include "muster/run/system.hpp"

namespace muster::run {
namespace {

using fabric::BlockEntry;
using fabric::SwitchConfig;
using fabric::SwitchKind;

/// Of the kinds that systems have.
std::vector<SwitchConfig> switches_of(const std::vector<BlockEntry>& entries) {
  std::vector<SwitchConfig> list;
  for (const BlockEntry& entry : entries)
    for (const SwitchKind* kind : switch_kinds())
      if (entry.kind == "switch" && is_of(entry.block, *kind))
        list.push_back(switch_config(entry, *kind));
  return list;
}

}  // namespace

std::vector<const SwitchKind*> switch_kinds() {
  std::vector<const SwitchKind*> kinds;
  for (const auto& system : systems())
    for (const SwitchKind* kind : system->switch_kinds()) kinds.push_back(kind);
  return kinds;
}

const std::vector<SwitchConfig>& configurations() {
  static const auto list = switches_of(fabric::listed_blocks());
  return list;
}

const std::vector<SwitchConfig>& own_configurations() {
  static const auto list = switches_of(fabric::own_blocks());
  return list;
}

std::uint32_t usual_vcs() {
  std::uint32_t most = 1;
  for (const SwitchKind* kind : switch_kinds())
    most = std::max({most, kind->min_vcs, kind->usual_vcs});
  return most;
}

SwitchConfig configuration(const std::string& name) {
  std::vector<std::string> names;
  for (const auto* list : {&configurations(), &own_configurations()}) {
    for (const SwitchConfig& c : *list) {
      if (c.name == name) return c;
      names.push_back(c.name);
    }
  }
  throw unknown_name("--config", name, names);
}

}  // namespace muster::run
