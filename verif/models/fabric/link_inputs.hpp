// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace muster::verif {

/// The type of an input port of a Verilated model.
template <class Port>
using PortValue = std::remove_reference_t<Port>;

/// The inputs from the links of a block, as its model has them.
template <class Model>
struct LinkInputs {
  PortValue<decltype(Model::rx_valid_i)> rx_valid;
  PortValue<decltype(Model::rx_vc_i)> rx_vc;
  PortValue<decltype(Model::rx_kind_i)> rx_kind;
  PortValue<decltype(Model::rx_payload_i)> rx_payload;
  PortValue<decltype(Model::tx_credit_i)> tx_credit;

  explicit LinkInputs(const Model& m)
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

}  // namespace muster::verif
