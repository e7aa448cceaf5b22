// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/replay.hpp"

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

}  // namespace muster::verif
