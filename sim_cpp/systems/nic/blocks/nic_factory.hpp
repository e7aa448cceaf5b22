// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "muster/fabric/engine_registry.hpp"
#include "systems/nic/blocks/nic_bank.hpp"
#include "systems/nic/blocks/nic_config.hpp"

namespace muster::nic {

/// What an engine offers for NICs (BankFactory::makers).
class NicFactory {
 public:
  virtual ~NicFactory() = default;
  /// If such NICs can be made: golden any, Verilated ones those built.
  virtual bool supports(const NicConfig& config) const = 0;
  /// REQUIRES: supports(config).
  virtual std::unique_ptr<NicBank> make_nics(const NicConfig& config, std::uint32_t nics,
                                             const fabric::BankOptions& options) const = 0;
};

/// nullptr if the engine has no such blocks.
inline const NicFactory* nics_of(const fabric::BankFactory& engine) {
  return engine.makers().find<NicFactory>();
}

}  // namespace muster::nic
