// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_fst_c.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/wave_time.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::verif {

/// One FST file with several models in it; time as in wave_time.hpp. It is whole when the object
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
  void check() const;
  void tell() const;

  const std::string file_;
  const std::function<void(const std::string&)> failed_;
  int error_ = 0;  ///< of the first write that failed
  VerilatedFstC fst_;
};

}  // namespace muster::verif
