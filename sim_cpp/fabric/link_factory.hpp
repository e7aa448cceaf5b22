// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::fabric {

/// What an engine offers for link ends (BankFactory::makers).
class LinkFactory {
 public:
  virtual ~LinkFactory() = default;
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
