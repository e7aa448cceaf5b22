// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "models/clocking.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::verif {

/// Asks the system to hold the memory from `first` to `last` in large pages, all at once. A
/// thousand models lie on more small pages than a processor can remember the addresses of. Only a
/// hint: where the system does not know it or declines, nothing happens.
void use_large_pages(const void* first, const void* last);

/// One FST file with several models in it; time as in clocking.hpp. It is whole when the object
/// has gone; a file that could not be completed is removed, and BankOptions::wave_failed is called.
class Wave {
 public:
  /// `models[b]` for b in options.wave_blocks (all if empty). REQUIRES: tracing is on in the
  /// context. Throws InputError if models of this class were made without (NO_WAVE), or if there is
  /// no model b.
  template <class Model>
  static std::unique_ptr<Wave> open(const fabric::BankOptions& options,
                                    std::vector<std::unique_ptr<Model>>& models) {
    auto wave = std::unique_ptr<Wave>(new Wave(options));
    if constexpr (requires(Model & model) { model.trace(&wave->fst_, 99); })
      for (const std::uint32_t b : shown(options.wave_blocks, models.size()))
        models[b]->trace(&wave->fst_, 99);
    else
      throw InputError("these models are made without waveforms");
    wave->start();
    return wave;
  }
  ~Wave();
  Wave(const Wave&) = delete;
  Wave& operator=(const Wave&) = delete;

  /// Both throw InputError if the file takes no more.
  void dump_inputs(std::uint64_t cycle) { dump(input_time(cycle)); }
  void dump_edge(std::uint64_t cycle) { dump(edge_time(cycle)); }

 private:
  explicit Wave(const fabric::BankOptions& options)
      : file_(options.wave_file), failed_(options.wave_failed) {}
  /// Each block once: Verilator takes no model twice.
  static std::set<std::uint32_t> shown(const std::vector<std::uint32_t>& wanted, std::size_t there);
  void start();
  void dump(std::uint64_t time);
  void checked(auto&& write);
  void tell() const;

  const std::string file_;
  const std::function<void(const std::string&)> failed_;
  int error_ = 0;  ///< of the first write that failed
  VerilatedFstC fst_;
};

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
