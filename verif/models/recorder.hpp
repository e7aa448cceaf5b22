// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/replay.hpp"

namespace muster::verif {

/// The input ports of a Verilated switch that change while a network runs.
template <class Model>
struct ModelInputs {
  template <class Port>
  using Value = std::remove_reference_t<Port>;

  Value<decltype(Model::rx_valid_i)> rx_valid;
  Value<decltype(Model::rx_vc_i)> rx_vc;
  Value<decltype(Model::rx_kind_i)> rx_kind;
  Value<decltype(Model::rx_payload_i)> rx_payload;
  Value<decltype(Model::tx_credit_i)> tx_credit;

  explicit ModelInputs(const Model& m)
      : rx_valid(m.rx_valid_i),
        rx_vc(m.rx_vc_i),
        rx_kind(m.rx_kind_i),
        rx_payload(m.rx_payload_i),
        tx_credit(m.tx_credit_i) {}
  void put(Model& m) const {
    m.rx_valid_i = rx_valid;
    m.rx_vc_i = rx_vc;
    m.rx_kind_i = rx_kind;
    m.rx_payload_i = rx_payload;
    m.tx_credit_i = tx_credit;
  }
};

/// Inputs by cycle, within a cycle by block.
template <class Model>
class SwitchRecording final : public core::Recording {
 public:
  explicit SwitchRecording(std::uint32_t blocks) : blocks_(blocks) {}
  std::uint64_t cycles() const override { return inputs_.size() / blocks_; }
  void add(const Model& model) { inputs_.emplace_back(model); }
  const ModelInputs<Model>& at(std::uint64_t cycle, std::uint32_t block) const {
    return inputs_[cycle * blocks_ + block];
  }

 private:
  std::uint32_t blocks_;
  std::vector<ModelInputs<Model>> inputs_;
};

}  // namespace muster::verif
