// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/clocking.hpp"
#include "models/model_array.hpp"
#include "models/runtime.hpp"
#include "muster/core/bank.hpp"
#include "muster/core/error.hpp"

namespace muster::verif {

/// Inputs of the models of a bank by cycle, within a cycle by block. `Inputs` is made of a model
/// and has `put(model)`.
template <class Inputs>
class ModelRecording final : public core::Recording {
 public:
  explicit ModelRecording(std::uint32_t blocks) : blocks_(blocks) {}
  std::uint64_t cycles() const override { return inputs_.size() / blocks_; }
  template <class Model>
  void add(const Model& model) {
    inputs_.emplace_back(model);
  }
  const Inputs& at(std::uint64_t cycle, std::uint32_t block) const {
    return inputs_[cycle * blocks_ + block];
  }

 private:
  std::uint32_t blocks_;
  std::vector<Inputs> inputs_;
};

/// Verilated blocks with registered outputs and a register port as a bank. `Ports` is a kind of
/// block, a class derived from its contract (core::Bank) that knows the ports of the model:
///
///   Model                 the class that Verilator makes
///   Inputs                input ports that change in a run, for ModelRecording
///   name(b)               of the instance
///   idle(model)           idle inputs on a model
///   drive(b, model)       this cycle's inputs of block b on its model; clears them in the bank
///   collect(b, model)     the registered outputs after an edge
///   kQuietAfterReset      optional: false if it is not quiescent then
///   prefetch(model)       optional: starts to fetch a model that is evaluated next
template <class Ports>
class VerilatedBank final : public Ports, public core::Replayable, public core::Divisible {
 public:
  using Model = typename Ports::Model;

  /// `ports`: what else the ports are made of.
  template <class... Of>
  VerilatedBank(std::uint32_t blocks, const fabric::BankOptions& options, Of... ports)
      : Ports(blocks, ports...),
        models_(blocks, options, [](std::uint32_t b) { return Ports::name(b); }) {
    for (std::uint32_t b = 0; b < blocks; ++b) VerilatedBank::reset(b);
  }

  void reset(std::uint32_t b) override {
    Ports::idle(models_[b]);
    if constexpr (requires { Ports::kQuietAfterReset; })
      reset_model<Ports::kQuietAfterReset>(models_[b]);
    else
      reset_model(models_[b]);
    this->collect(b, models_[b]);
  }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    begin_clock(cycle, awake);
    if (!watched()) {
      clock_some(cycle, awake);
    } else {
      FailedAssertion failed;
      clock_watched(cycle, awake);
      if (failed.happened()) {
        run_on(cycle);
        failed.raise(cycle);
      }
    }
    end_clock(cycle);
  }

  /// The waveform and a recording need all blocks together.
  core::Divisible* divisible() override { return watched() ? nullptr : this; }
  void begin_clock(std::uint64_t cycle, std::span<const std::uint32_t>) override {
    models_.set_time(edge_time(cycle));
  }
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    FailedAssertion failed;
    for (std::size_t i = 0; i < awake.size(); ++i) {  // one by one: a model stays in the cache
      if constexpr (requires(const Model& m) { Ports::prefetch(m); })
        if (i + 1 < awake.size()) Ports::prefetch(models_[awake[i + 1]]);
      settle(awake[i]);
      edge(awake[i]);
    }
    if (failed.happened()) failed.raise(cycle);
  }
  void end_clock(std::uint64_t) override {
    for (const std::uint32_t b : requests_) models_[b].reg_valid_i = 0;
    requests_.clear();
  }

  void run_on(std::uint64_t cycle) override {
    if (!models_.wave()) return;
    models_.disable_assertions();
    const std::vector<std::uint32_t> all = models_.all();
    for (std::uint64_t next = cycle + 1; next <= cycle + kRunOnCycles; ++next)
      clock_watched(next, all);
  }

  core::Replayable* replayable() override { return this; }
  void start_recording() override { recording_ = std::make_unique<Recorded>(this->blocks()); }
  std::unique_ptr<core::Recording> stop_recording() override { return std::move(recording_); }
  void replay(const core::Recording& recording, std::uint64_t first, std::uint64_t last) override {
    const auto& inputs = core::to<const Recorded>(&recording);
    for (std::uint64_t cycle = first; cycle < last; ++cycle) {
      for (std::uint32_t b = 0; b < this->blocks(); ++b) {
        Model& m = models_[b];
        inputs.at(cycle, b).put(m);
        m.eval();
        rise(m);
      }
    }
    for (std::uint32_t b = 0; b < this->blocks(); ++b) this->collect(b, models_[b]);
  }

  void request(const core::RegisterRequest& r) override {
    put_request(models_[r.block], r.address, r.write, r.value);
    requests_.push_back(r.block);
  }
  void write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) override {
    // One clock with idle inputs; the contract says that the block is quiescent.
    Ports::idle(models_[b]);
    clock_write(models_[b], address, value);
    this->collect(b, models_[b]);
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    return read_now(models_[b], address);
  }

 private:
  using Recorded = ModelRecording<typename Ports::Inputs>;

  /// This cycle's inputs on the model, clock low, and what follows from them.
  void settle(std::uint32_t b) {
    this->drive(b, models_[b]);
    models_[b].eval();
  }
  void edge(std::uint32_t b) {
    rise(models_[b]);
    this->collect(b, models_[b]);
  }

  bool watched() const { return models_.wave() != nullptr || recording_ != nullptr; }
  /// With the waveform or the recording between inputs and edge.
  void clock_watched(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
    for (const std::uint32_t b : awake) settle(b);
    if (recording_) {
      if (awake.size() != this->blocks())
        throw InternalError("a recording needs all blocks every cycle");
      for (const std::uint32_t b : models_.all()) recording_->add(models_[b]);
    }
    if (Wave* const wave = models_.wave()) wave->dump_inputs(cycle);
    for (const std::uint32_t b : awake) edge(b);
    if (Wave* const wave = models_.wave()) wave->dump_edge(cycle);
  }

  ModelArray<Model> models_;
  std::unique_ptr<Recorded> recording_;  ///< while recording
  std::vector<std::uint32_t> requests_;  ///< blocks with one on their port until the next edge
};

}  // namespace muster::verif
