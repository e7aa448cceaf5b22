// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/box_factory.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"

namespace muster::esc {
namespace {

constexpr std::uint32_t kPacketW = 64;   // of BoxPacket
constexpr std::uint32_t kAddressW = 16;  // PolicyConfig, InjectionConfig: numbers of 16 bits

}  // namespace

BoxConfig box_config(const fabric::BlockEntry& entry) {
  if (entry.block.param("PacketW") != kPacketW)
    throw InputError(fmt::format("box '{}': PacketW is not {}", entry.name, kPacketW));
  return {entry.block.param("Size"), entry.block.param("Depth"), entry.block.top == kCombiningBox};
}

fabric::Block block_of(const BoxConfig& config) {
  return {std::string(config.combining ? kCombiningBox : "interchange_box"),
          {{"Size", config.size}, {"Depth", config.depth}, {"PacketW", kPacketW}}};
}

fabric::Block block_of(const PolicyConfig& config) {
  return {"input_policy", {{"Size", config.size}, {"AddrW", kAddressW}}};
}

fabric::Block block_of(const InjectionConfig& config) {
  return {"injection", {{"Size", config.size}, {"AddrW", kAddressW}}};
}

}  // namespace muster::esc
