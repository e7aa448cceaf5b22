// SPDX-License-Identifier: Apache-2.0
#include "fabric/block_list.hpp"

#include <algorithm>

#include "fabric/block_fields.hpp"

namespace muster::fabric {
namespace {

constexpr BlockField<SwitchConfig> kFields[] = {
    {"Ports", &SwitchConfig::ports},  {"Vcs", &SwitchConfig::vcs},
    {"Depth", &SwitchConfig::depth},  {"Regs", &SwitchConfig::regs},
    {"FlitW", &SwitchConfig::flit_w}, {"GidW", &SwitchConfig::gid_w},
    {"Dests", &SwitchConfig::dests}};

}  // namespace

std::uint32_t Block::param(const std::string& name) const {
  const auto found = params.find(name);
  return found == params.end() ? 0 : found->second;
}

bool same(const Block& a, const Block& b) {
  const auto has = [](const Block& block, const Block& other) {
    return std::all_of(other.params.begin(), other.params.end(),
                       [&](const auto& p) { return block.param(p.first) == p.second; });
  };
  return a.top == b.top && has(a, b) && has(b, a);
}

SwitchConfig switch_config(const BlockEntry& entry, const SwitchKind& kind) {
  SwitchConfig config;
  config.name = entry.name;
  take_fields(config, kFields, entry);
  config.kind = &kind;
  config.serial = entry.block.param("Serial") == 1;
  config.spill = entry.block.param("Spill") == 1;
  config.retry = entry.block.param("Retry") == 1;
  config.groups = entry.block.param("Groups");
  config.guard = entry.block.param("Guard") == 1;
  return validate(config);
}

Block block_of(const SwitchConfig& config) {
  Block block = give_fields(config.kind->module, config, kFields);
  block.params["Serial"] = config.serial;
  block.params["Spill"] = config.spill;
  block.params["Retry"] = config.retry;
  block.params["Groups"] = config.groups;
  block.params["Guard"] = config.guard;
  return block;
}

}  // namespace muster::fabric
