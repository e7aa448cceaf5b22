// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/bank.hpp"
#include "fabric/switch_config.hpp"
#include "systems/nic/blocks/nic_bank.hpp"
#include "systems/nic/blocks/nic_config.hpp"

namespace muster::esc {
class BoxFactory;
}

namespace muster::fabric {

/// How the blocks of a run are built; what an engine does not have (waves on golden) is an
/// InputError of make_switches.
struct BankOptions {
  bool assertions = true;
  bool random_init = false;                ///< registers without reset start with random contents
  std::uint64_t seed = 0;                  ///< of random_init
  std::string wave_file;                   ///< FST file; empty: no waves
  std::vector<std::uint32_t> wave_blocks;  ///< empty: all
};

/// One engine: a way to make banks. Kinds of switches differ in SwitchConfig::kind; a new kind of
/// block that is no switch adds a method here and nothing to Engine.
class BankFactory {
 public:
  virtual ~BankFactory() = default;
  virtual std::string name() const = 0;
  /// The tool that makes the blocks, with its version; empty for our own C++.
  virtual std::string made_with() const { return {}; }
  /// If switches of this configuration can be made: golden any, Verilated ones those built.
  virtual bool supports(const SwitchConfig& config) const = 0;
  /// REQUIRES: supports(config).
  virtual std::unique_ptr<core::Bank> make_switches(const SwitchConfig& config,
                                                    std::uint32_t blocks,
                                                    const BankOptions& options) const = 0;
  /// If NIC barrier engines of this configuration can be made.
  virtual bool supports(const nic::NicConfig&) const { return false; }
  /// REQUIRES: supports(config).
  virtual std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                                  const BankOptions& options) const;
  /// What it offers for the Extra Stage Cube; null if it has no such blocks.
  virtual const esc::BoxFactory* boxes() const { return nullptr; }
};

/// The engines that a program was linked with. Whoever offers one adds it by an explicit call at
/// start-up.
class EngineRegistry {
 public:
  /// Throws InternalError if the name is taken.
  void add(std::shared_ptr<const BankFactory> factory);
  /// Throws InputError naming the engines there are.
  std::shared_ptr<const BankFactory> find(const std::string& name) const;
  std::vector<std::string> names() const;  ///< in the order in which they were added

 private:
  std::vector<std::shared_ptr<const BankFactory>> factories_;
};

}  // namespace muster::fabric
