// SPDX-License-Identifier: Apache-2.0
#include "fabric/block_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace muster::fabric {
namespace {

/// A parameter of the RTL and the member of a configuration that holds it.
template <class Config>
struct Field {
  const char* param;
  std::uint32_t Config::*member;
};

constexpr Field<SwitchConfig> kSwitchFields[] = {
    {"Ports", &SwitchConfig::ports},  {"Vcs", &SwitchConfig::vcs},
    {"Depth", &SwitchConfig::depth},  {"Regs", &SwitchConfig::regs},
    {"FlitW", &SwitchConfig::flit_w}, {"GidW", &SwitchConfig::gid_w},
    {"Dests", &SwitchConfig::dests}};
constexpr Field<nic::NicConfig> kNicFields[] = {
    {"Contexts", &nic::NicConfig::contexts}, {"Steps", &nic::NicConfig::steps},
    {"Conns", &nic::NicConfig::conns},       {"Records", &nic::NicConfig::records},
    {"SeqW", &nic::NicConfig::seq_w},        {"Vcs", &nic::NicConfig::vcs},
    {"Depth", &nic::NicConfig::depth},       {"FlitW", &nic::NicConfig::flit_w}};
constexpr std::uint32_t kPacketW = 64;   // of BoxPacket
constexpr std::uint32_t kAddressW = 16;  // PolicyConfig allows numbers of 16 bits

template <class Config, std::size_t N>
void take(Config& config, const Field<Config> (&fields)[N], const BlockEntry& entry) {
  for (const Field<Config>& field : fields) config.*field.member = entry.block.param(field.param);
}

template <class Config, std::size_t N>
Block give(std::string_view top, const Config& config, const Field<Config> (&fields)[N]) {
  Block block{std::string(top), {}};
  for (const Field<Config>& field : fields) block.params[field.param] = config.*field.member;
  return block;
}

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

SwitchConfig switch_config(const BlockEntry& entry) {
  SwitchConfig config;
  config.name = entry.name;
  take(config, kSwitchFields, entry);
  config.kind = switch_kind(entry.block.top);
  config.serial = entry.block.param("Serial") == 1;
  return validate(config);
}

nic::NicConfig nic_config(const BlockEntry& entry) {
  nic::NicConfig config;
  config.name = entry.name;
  take(config, kNicFields, entry);
  return validate(config);
}

esc::BoxConfig box_config(const BlockEntry& entry) {
  if (entry.block.param("PacketW") != kPacketW)
    throw InputError(fmt::format("box '{}': PacketW is not {}", entry.name, kPacketW));
  return {entry.block.param("Size"), entry.block.param("Depth"), entry.block.top == kCombiningBox};
}

Block block_of(const SwitchConfig& config) {
  Block block = give(info(config.kind).module, config, kSwitchFields);
  block.params["Serial"] = config.serial;
  return block;
}

Block block_of(const nic::NicConfig& config) { return give("nic_engine", config, kNicFields); }

Block block_of(const esc::BoxConfig& config) {
  return {std::string(config.combining ? kCombiningBox : "interchange_box"),
          {{"Size", config.size}, {"Depth", config.depth}, {"PacketW", kPacketW}}};
}

Block block_of(const esc::PolicyConfig& config) {
  return {"input_policy", {{"Size", config.size}, {"AddrW", kAddressW}}};
}

}  // namespace muster::fabric
