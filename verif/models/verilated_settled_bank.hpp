// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/clocking.hpp"
#include "models/model_array.hpp"
#include "models/runtime.hpp"

namespace muster::verif {

/// Verilated blocks with settled outputs, boxes or policies, as a bank: settle(), clock() and
/// reset() in place of those of core::Bank. `Ports` is a kind of block, a class derived from its
/// contract (esc::BoxBank, esc::PolicyBank) that knows the ports of the model:
///
///   Model                 the class that Verilator makes
///   name(b)               of the instance
///   configure(b, model)   inputs that never change
///   idle(model, seed)     idle inputs on a model, for its reset
///   sleeps(b)             to be skipped: clocking it would change nothing
///   rest(b)               settled outputs of a block that sleeps
///   drive(b, model)       this cycle's inputs of block b on its model
///   take_settled(b, model)
///   drive_late(b, model)  inputs that are known after settling
///   collect(b, model)     the registered outputs after an edge
template <class Ports>
class VerilatedSettledBank final : public Ports {
 public:
  using Model = typename Ports::Model;

  /// What Ports is made of.
  template <class... Shape>
  explicit VerilatedSettledBank(Shape&&... shape)
      : Ports(std::forward<Shape>(shape)...),
        models_(this->blocks(), random_start(),
                [this](std::uint32_t b) { return Ports::name(b); }) {
    for (std::uint32_t b = 0; b < this->blocks(); ++b) this->configure(b, models_[b]);
    awake_.reserve(this->blocks());
  }

  void settle() override {
    FailedAssertion failed;
    awake_.clear();
    for (std::uint32_t b = 0; b < this->blocks(); ++b) {
      if (this->sleeps(b)) {
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

  ModelArray<Model> models_;
  std::vector<std::uint32_t> awake_;  ///< between settle and clock: those that have settled
  std::uint64_t cycle_ = 0;           ///< of the next settle(), which is not told
};

}  // namespace muster::verif
