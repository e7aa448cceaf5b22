// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_configurations.hpp"

#include "fabric/block_fields.hpp"

namespace muster::fabric {
namespace {

constexpr BlockField<LinkConfig> kLinkFields[] = {
    {"Vcs", &LinkConfig::vcs},         {"Depth", &LinkConfig::depth},
    {"FlitW", &LinkConfig::flit_w},    {"Pocket", &LinkConfig::pocket},
    {"Slots", &LinkConfig::slots},     {"Timeout", &LinkConfig::timeout},
    {"Retries", &LinkConfig::retries}, {"Lossy", &LinkConfig::lossy},
};

std::vector<LinkConfig> links_of(const std::vector<BlockEntry>& entries) {
  std::vector<LinkConfig> list;
  for (const BlockEntry& entry : entries)
    if (entry.kind == kLinkKind) list.push_back(link_config(entry));
  return list;
}

}  // namespace

LinkConfig link_config(const BlockEntry& entry) {
  LinkConfig config;
  config.name = entry.name;
  take_fields(config, kLinkFields, entry);
  return validate(config);
}

Block block_of(const LinkConfig& config) { return give_fields("link_end", config, kLinkFields); }

const std::vector<LinkConfig>& link_configurations() {
  static const auto list = links_of(listed_blocks());
  return list;
}

const std::vector<LinkConfig>& own_link_configurations() {
  static const auto list = links_of(own_blocks());
  return list;
}

}  // namespace muster::fabric
