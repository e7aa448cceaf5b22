// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/clocking.hpp"
#include "models/model_array.hpp"
#include "models/runtime.hpp"

namespace muster::verif {

/// How a bank of boxes, policies or injection blocks is built. Skipping blocks for which nothing is
/// to be done changes only the time it takes.
struct SettledOptions {
  bool skip_idle = false;
};

/// Verilated blocks with settled outputs: a class derived from their contract (esc::BoxBank) that
/// knows the ports of the model.
template <class Ports>
concept SettledPorts = requires(Ports& ports, typename Ports::Model& model, std::uint32_t b) {
  { ports.name(b) } -> std::convertible_to<std::string>;  // of the instance
  ports.configure(b, model);                              // inputs that never change
  Ports::idle(model, std::uint16_t{});       // idle inputs and the seed of its LFSR, for a reset
  { ports.idles(b) } -> std::same_as<bool>;  // clocking it would change nothing
  ports.rest(b);                             // the settled outputs of a block that is skipped
  ports.drive(b, model);                     // this cycle's inputs
  ports.take_settled(b, model);
  ports.drive_late(b, model);  // inputs that are known after settling
  ports.collect(b, model);     // the registered outputs after an edge
};

/// Those blocks as a bank: settle(), clock() and reset() of their contract.
template <SettledPorts Ports>
class VerilatedSettledBank final : public Ports {
 public:
  using Model = typename Ports::Model;

  template <class Config, class Blocks>
  VerilatedSettledBank(const Config& config, Blocks blocks, const SettledOptions& options)
      : Ports(config, std::move(blocks)),
        skip_idle_(options.skip_idle),
        models_(this->blocks(), random_start(),
                [this](std::uint32_t b) { return Ports::name(b); }) {
    for (std::uint32_t b = 0; b < this->blocks(); ++b) this->configure(b, models_[b]);
    awake_.reserve(this->blocks());
  }

  void settle() override {
    FailedAssertion failed;
    awake_.clear();
    for (std::uint32_t b = 0; b < this->blocks(); ++b) {
      if (skip_idle_ && this->idles(b)) {
        this->rest(b);
        continue;
      }
      awake_.push_back(b);
      this->drive(b, models_[b]);
      models_[b].eval();
      this->take_settled(b, models_[b]);
    }
    if (failed.happened()) failed.raise(cycle_);
  }

  void clock(std::uint64_t cycle) override {
    FailedAssertion failed;
    models_.set_time(edge_time(cycle));
    for (const std::uint32_t b : awake_) {
      this->drive_late(b, models_[b]);
      rise(models_[b]);
      this->collect(b, models_[b]);
    }
    if (failed.happened()) failed.raise(cycle);
    cycle_ = cycle + 1;
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    cycle_ = 0;
    for (std::uint32_t b = 0; b < this->blocks(); ++b) {
      Ports::idle(models_[b], seeds[b]);
      reset_model(models_[b]);
      this->collect(b, models_[b]);
    }
  }

 private:
  /// Registers and memories without reset start at random, so that looking at one is a difference.
  static fabric::BankOptions random_start() {
    fabric::BankOptions options;
    options.random_init = true;
    return options;
  }

  const bool skip_idle_;
  ModelArray<Model> models_;
  std::vector<std::uint32_t> awake_;  ///< between settle and clock: those that have settled
  std::uint64_t cycle_ = 0;           ///< of the next settle(), which is not told
};

}  // namespace muster::verif
