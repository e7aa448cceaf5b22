// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/clocking.hpp"
#include "models/model_array.hpp"
#include "models/runtime.hpp"
#include "muster/core/bank.hpp"
#include "muster/core/error.hpp"

namespace muster::verif {

/// The values of ports that are given by reference.
template <class... Port>
std::tuple<Port...> values_of(const std::tuple<Port&...>& ports) {
  return ports;
}

/// Verilated blocks with registered outputs and a register port: a class derived from their
/// contract that knows the ports of the model.
template <class Ports>
concept RegisteredPorts = std::derived_from<Ports, core::Bank> &&
    requires(Ports& ports, typename Ports::Model& model, std::uint32_t b) {
  { Ports::name(b) } -> std::convertible_to<std::string>;  // of the instance
  values_of(Ports::inputs(model));  // those that change in a run, for a recording
  Ports::idle(model);               // idle inputs on a model
  ports.drive(b, model);            // this cycle's inputs of block b; clears them in the bank
  ports.collect(b, model);          // the registered outputs after an edge
};

/// Inputs of the models of a bank by cycle, within a cycle by block.
template <class Ports>
class ModelRecording final : public core::Recording {
 public:
  using Inputs = decltype(values_of(Ports::inputs(std::declval<typename Ports::Model&>())));

  explicit ModelRecording(std::uint32_t blocks) : blocks_(blocks) {}
  std::uint64_t cycles() const override { return inputs_.size() / blocks_; }
  void add(typename Ports::Model& model) { inputs_.emplace_back(Ports::inputs(model)); }
  const Inputs& at(std::uint64_t cycle, std::uint32_t block) const {
    return inputs_[cycle * blocks_ + block];
  }

 private:
  std::uint32_t blocks_;
  std::vector<Inputs> inputs_;
};

/// Those blocks as a bank. Ports may have besides:
///
///   kQuietAfterReset      false if a block is not quiescent then
///   prefetch(model)       starts to fetch a model that is evaluated next
///   late_writes()         a write is done in the cycle after that of its request
template <RegisteredPorts Ports>
class VerilatedBank final : public Ports, public core::Replayable, public core::Divisible {
 public:
  using Model = typename Ports::Model;

  template <class Config>
  VerilatedBank(const Config& config, std::uint32_t blocks, const fabric::BankOptions& options)
      : Ports(config, blocks),
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
    begin_clock(cycle);
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
  void begin_clock(std::uint64_t cycle) override { models_.set_time(edge_time(cycle)); }
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    FailedAssertion failed;
    for (std::size_t i = 0; i < awake.size(); ++i) {  // one by one: a model stays in the cache
      if constexpr (requires(const Model& m) { Ports::prefetch(m); })
        if (i + 1 < awake.size()) Ports::prefetch(models_[awake[i + 1]]);
      this->drive(awake[i], models_[awake[i]]);
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
        Ports::inputs(m) = inputs.at(cycle, b);
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
    // Clocks with idle inputs; the contract says that the block is quiescent.
    bool late = false;
    if constexpr (requires(const Ports& ports) { ports.late_writes(); })
      late = Ports::late_writes();
    Ports::idle(models_[b]);
    clock_write(models_[b], address, value, late);
    this->collect(b, models_[b]);
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    return read_now(models_[b], address);
  }

 private:
  using Recorded = ModelRecording<Ports>;

  void edge(std::uint32_t b) {
    rise(models_[b]);
    this->collect(b, models_[b]);
  }

  bool watched() const { return models_.wave() != nullptr || recording_ != nullptr; }
  /// With the waveform or the recording between inputs and edge.
  void clock_watched(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
    for (const std::uint32_t b : awake) {
      this->drive(b, models_[b]);
      models_[b].eval();
    }
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
