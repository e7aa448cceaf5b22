// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/pointers.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/topology/routes.hpp"

namespace muster::fabric {

/// A bank of switches whose routing tables can be those of the network instead of copies, in so far
/// as the host has written nothing else. A bank without gets each entry through the register ports.
class SharesRoutes {
 public:
  virtual ~SharesRoutes() = default;
  /// As if all entries that switches of their size hold were written: block b is switch b.
  virtual void share_routes(std::shared_ptr<const topology::Routes> routes) = 0;
};

/// Makes blocks that are no switches. A system that has some derives its own class from this.
class BlockMaker {
 public:
  virtual ~BlockMaker() = default;
};

/// What an engine makes besides switches: at most one object of each class of makers.
class BlockMakers {
 public:
  /// Offers an object, in place of one of its class.
  template <class Maker>
  void add(std::shared_ptr<const Maker> maker) {
    std::erase_if(makers_, [](const auto& other) { return core::as<const Maker>(other.get()); });
    makers_.push_back(std::move(maker));
  }
  /// nullptr if the engine has no such blocks.
  template <class Maker>
  const Maker* find() const {
    for (const auto& maker : makers_)
      if (const auto* const found = core::as<const Maker>(maker.get())) return found;
    return nullptr;
  }

 private:
  std::vector<std::shared_ptr<const BlockMaker>> makers_;
};

struct Sharing;

/// How the blocks of a run are built. An engine without models of the RTL ignores these; a run
/// that asks it for them is refused (run::resolve).
struct BankOptions {
  bool assertions = true;                  ///< of the RTL are checked
  bool random_init = false;                ///< registers without reset start with random contents
  std::uint64_t seed = 0;                  ///< of random_init
  std::string wave_file;                   ///< FST file; empty: no waves
  std::vector<std::uint32_t> wave_blocks;  ///< empty: all; one named twice is one
  /// Told why the waveform could not be completed, by the time the bank has gone; the file is
  /// removed then. May be absent.
  std::function<void(const std::string& reason)> wave_failed;
  /// Of a run by several processes (docs/reference/ranks.md): which of them clocks which blocks, if
  /// the system that has them shares them; others are clocked by rank 0. run::resolve() sets it.
  std::shared_ptr<const Sharing> sharing;
};

/// One engine: a way to make banks. What the switches of a run are is in SwitchConfig::kind; blocks
/// that are no switches are made by what their system declares for them, see makers().
class BankFactory {
 public:
  /// `makers`: of its blocks that are no switches.
  explicit BankFactory(BlockMakers makers = {}) : makers_(std::move(makers)) {}
  virtual ~BankFactory() = default;
  /// As `--engine` has it.
  virtual std::string name() const = 0;
  /// The tool that makes the blocks, with its version; empty for our own C++.
  virtual std::string made_with() const { return {}; }
  /// If the blocks are models of the RTL: with assertions, waveforms and registers without reset.
  virtual bool has_models() const { return false; }
  /// If two models of each block are compared: then no block may be skipped in any cycle.
  virtual bool compares() const { return false; }
  /// If switches of this configuration can be made: golden any, Verilated ones those built.
  virtual bool supports(const SwitchConfig& config) const = 0;
  /// REQUIRES: supports(config).
  virtual std::unique_ptr<core::Bank> make_switches(const SwitchConfig& config,
                                                    std::uint32_t blocks,
                                                    const BankOptions& options) const = 0;
  const BlockMakers& makers() const { return makers_; }  ///< as given

 private:
  BlockMakers makers_;
};

/// The engines that a program was linked with. A provider adds its engine by an explicit call at
/// start-up.
class EngineRegistry {
 public:
  /// Throws InternalError if the name is taken.
  void add(std::shared_ptr<const BankFactory> factory);
  /// Throws InputError naming the engines there are.
  std::shared_ptr<const BankFactory> find(const std::string& name) const;
  std::vector<std::string> names() const;  ///< in the order in which they were added
  std::string choices() const;             ///< the same as text: "golden, rtl or lockstep"

 private:
  std::vector<std::shared_ptr<const BankFactory>> factories_;
};

}  // namespace muster::fabric
