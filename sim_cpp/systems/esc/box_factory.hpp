// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/configurations.hpp"
#include "systems/esc/pe_banks.hpp"

namespace muster::esc {

/// What an engine offers for the Extra Stage Cube. Banks are independent of each other: several
/// threads may make and use banks of their own.
class BoxFactory : public fabric::BlockMaker {
 public:
  /// If such blocks can be made: golden any, Verilated ones those built.
  virtual bool supports(const BoxConfig& config) const = 0;
  /// For an error message: the box configurations that it can make, empty for any.
  virtual std::vector<BoxConfig> built() const { return {}; }
  /// REQUIRES: supports(config). `stages` as in BoxBank.
  virtual std::unique_ptr<BoxBank> make_boxes(const BoxConfig& config,
                                              std::vector<std::uint8_t> stages) const = 0;
  /// REQUIRES: boxes of this size are supported.
  virtual std::unique_ptr<PolicyBank> make_policies(const PolicyConfig& config,
                                                    std::uint32_t pes) const = 0;
  /// REQUIRES: boxes of this size are supported.
  virtual std::unique_ptr<InjectionBank> make_injections(const InjectionConfig& config,
                                                         std::uint32_t pes) const = 0;
};

/// nullptr if the engine has no such blocks.
inline const BoxFactory* boxes_of(const fabric::BankFactory& engine) {
  return engine.makers().find<BoxFactory>();
}

inline constexpr std::string_view kCombiningBox = "muster_combining_box";  ///< top module

// Between block lists and configurations.
inline constexpr std::uint32_t kPacketW = 64;   // of BoxPacket
inline constexpr std::uint32_t kAddressW = 16;  // of numbers in PolicyConfig, InjectionConfig

/// Throws InputError if the width of packets is not that of BoxPacket.
inline BoxConfig box_config(const fabric::BlockEntry& entry) {
  if (entry.block.param("PacketW") != kPacketW)
    throw InputError("box '{}': PacketW is not {}", entry.name, kPacketW);
  return {entry.block.param("Size"), entry.block.param("Depth"), entry.block.top == kCombiningBox};
}
inline fabric::Block block_of(const BoxConfig& config) {
  return {std::string(config.combining ? kCombiningBox : "muster_interchange_box"),
          {{"Size", config.size}, {"Depth", config.depth}, {"PacketW", kPacketW}}};
}
/// The input policy of a PE; the address bits in use are an input of the block.
inline fabric::Block block_of(const PolicyConfig& config) {
  return {"muster_input_policy", {{"Size", config.size}, {"AddrW", kAddressW}}};
}
/// The injection block of a PE; so is the scheme.
inline fabric::Block block_of(const InjectionConfig& config) {
  return {"muster_injection", {{"Size", config.size}, {"AddrW", kAddressW}}};
}

}  // namespace muster::esc
