// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_fst_c.h>

#include <memory>
#include <string>
#include <vector>

#include "fabric/engine_registry.hpp"
#include "models/wave_time.hpp"

namespace muster::verif {

/// One FST file with several models in it; time as in wave_time.hpp.
class Wave {
 public:
  /// `models[b]` for b in options.wave_blocks (all if empty). REQUIRES: tracing is on in the
  /// context.
  template <class Model>
  static std::unique_ptr<Wave> open(const fabric::BankOptions& options,
                                    std::vector<std::unique_ptr<Model>>& models) {
    auto wave = std::unique_ptr<Wave>(new Wave);
    std::vector<std::uint32_t> blocks = options.wave_blocks;
    if (blocks.empty())
      for (std::uint32_t b = 0; b < models.size(); ++b) blocks.push_back(b);
    for (const std::uint32_t b : blocks) models.at(b)->trace(&wave->fst_, 99);
    wave->start(options.wave_file);
    return wave;
  }
  ~Wave();

  void dump_inputs(std::uint64_t cycle) { fst_.dump(input_time(cycle)); }
  void dump_edge(std::uint64_t cycle) { fst_.dump(edge_time(cycle)); }

 private:
  Wave() = default;
  void start(const std::string& file);  ///< throws InputError if the file cannot be written
  VerilatedFstC fst_;
};

}  // namespace muster::verif
