// SPDX-License-Identifier: Apache-2.0
#include "fabric/block_list.hpp"
#include "fabric/configurations.hpp"

namespace muster::fabric {
namespace {

std::vector<SwitchConfig> switches_of(const std::vector<BlockEntry>& entries) {
  std::vector<SwitchConfig> list;
  for (const BlockEntry& entry : entries)
    if (entry.kind == "switch") list.push_back(switch_config(entry));
  return list;
}

std::vector<nic::NicConfig> nics_of(const std::vector<BlockEntry>& entries) {
  std::vector<nic::NicConfig> list;
  for (const BlockEntry& entry : entries)
    if (entry.kind == "nic") list.push_back(nic_config(entry));
  return list;
}

}  // namespace

std::vector<SwitchConfig> read_configurations(const std::string& text, const std::string& file) {
  return switches_of(read_blocks(text, file));
}

const std::vector<nic::NicConfig>& nic_configurations() {
  static const auto list = nics_of(listed_blocks());
  return list;
}

const std::vector<nic::NicConfig>& own_nic_configurations() {
  static const auto list = nics_of(own_blocks());
  return list;
}

const std::vector<SwitchConfig>& configurations() {
  static const auto list = switches_of(listed_blocks());
  return list;
}

const std::vector<SwitchConfig>& own_configurations() {
  static const auto list = switches_of(own_blocks());
  return list;
}

}  // namespace muster::fabric
