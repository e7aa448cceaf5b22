// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "models/large_pages.hpp"
#include "models/wave.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::verif {

/// The Verilated models of a bank and what they share: one context, the waveform. Names are those
/// of the instances, so that a failing assertion says `sw12`.
template <class Model>
class ModelArray {
 public:
  /// `name(b)` names block b.
  template <class Name>
  ModelArray(std::uint32_t blocks, const fabric::BankOptions& options, Name&& name) {
    context_.threads(1);
    context_.assertOn(options.assertions);
    context_.randReset(options.random_init ? 2 : 0);
    context_.randSeed(static_cast<int>(options.seed % 0x7FFFFFFF) + 1);
    if (!options.wave_file.empty()) context_.traceEverOn(true);
    for (std::uint32_t b = 0; b < blocks; ++b)
      models_.push_back(std::make_unique<Model>(&context_, name(b).c_str()));
    if (blocks != 0) use_large_pages(models_.front().get(), models_.back()->rootp + 1);
    if (!options.wave_file.empty()) wave_ = Wave::open(options, models_);
  }
  ~ModelArray() {
    // A model leaves the context of the thread, not its own; there may be other banks.
    Verilated::threadContextp(&context_);
    for (auto& model : models_) model->final();
    wave_.reset();
    models_.clear();  // before their context
  }
  ModelArray(const ModelArray&) = delete;
  ModelArray& operator=(const ModelArray&) = delete;

  Model& operator[](std::uint32_t b) const { return *models_[b]; }
  /// The numbers of all blocks.
  std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> blocks(models_.size());
    std::iota(blocks.begin(), blocks.end(), 0u);
    return blocks;
  }
  /// What an assertion prints as its time, in ns.
  void set_time(std::uint64_t time) { context_.time(time); }
  Wave* wave() const { return wave_.get(); }  ///< null if there is none
  void disable_assertions() { context_.assertOn(false); }

 private:
  VerilatedContext context_;
  std::vector<std::unique_ptr<Model>> models_;
  std::unique_ptr<Wave> wave_;
};

}  // namespace muster::verif
