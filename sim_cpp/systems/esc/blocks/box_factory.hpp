// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "muster/fabric/engine_registry.hpp"
#include "systems/esc/blocks/box_bank.hpp"
#include "systems/esc/blocks/injection_bank.hpp"
#include "systems/esc/blocks/policy_bank.hpp"

namespace muster::esc {

/// What an engine offers for the Extra Stage Cube. Banks are independent of each other: several
/// threads may make and use banks of their own.
class BoxFactory {
 public:
  virtual ~BoxFactory() = default;
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

}  // namespace muster::esc
