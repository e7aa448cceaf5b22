// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "fabric/link_config.hpp"
#include "fabric/register_map.hpp"
#include "muster/core/bank.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::fabric {

/// A bank of link ends (docs/systems/retry-link.md). Port 0 is towards the block: flits, and
/// credits in `back`. Port 1 is the wires: frames as LinkFormat packs them, no credits. Both have
/// the latency of a plain wire; that of the link itself is between two ends. irq(): the link is
/// down and no restart has been asked for.
class LinkBank : public core::Bank {
 public:
  static constexpr std::uint32_t kBlockPort = 0, kWirePort = 1;

  LinkBank(const LinkConfig& config, std::uint32_t ends)
      : core::Bank(ends, 2), config_(validate(config)) {}

  const LinkConfig& config() const { return config_; }

 protected:
  LinkConfig config_;
};

/// What an engine offers for link ends (BankFactory::makers).
class LinkFactory : public BlockMaker {
 public:
  /// If such ends can be made: golden any, Verilated ones those built.
  virtual bool supports(const LinkConfig& config) const = 0;
  /// REQUIRES: supports(config).
  virtual std::unique_ptr<LinkBank> make_links(const LinkConfig& config, std::uint32_t ends,
                                               const BankOptions& options) const = 0;
};

/// nullptr if the engine has no such blocks.
inline const LinkFactory* links_of(const BankFactory& engine) {
  return engine.makers().find<LinkFactory>();
}

}  // namespace muster::fabric

namespace muster::fabric::link_registers {

/// Addresses and fields of a link end's register port besides the identity word
/// (fabric/register_map.hpp), for the host's side; the prose is docs/systems/retry-link.md,
/// Registers.

#include "fabric/link_end_registers.inc"

constexpr LinkState state(std::uint32_t status) {
  return static_cast<LinkState>(kStatusState.of(status));
}
constexpr LinkReason reason(std::uint32_t status) {
  return static_cast<LinkReason>(kStatusReason.of(status));
}

}  // namespace muster::fabric::link_registers
