// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "models/model.hpp"
#include "models/names.hpp"
#include "models/ports.hpp"
#include "models/verilated_bank.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::verif {

/// NIC barrier engines.
struct NicModels : Models<nic::NicBank, nic::NicConfig, std::uint32_t, fabric::BankOptions> {
  static constexpr std::string_view kName = "nic";
};

/// The ports of a NIC barrier engine. `ModelClass` is the class Verilator makes of
/// muster_nic_engine with the parameters `P`.
template <class ModelClass, class P>
class NicPorts : public nic::NicBank {
 public:
  using Model = ModelClass;

  std::string describe(std::uint32_t b) const override {
    return fmt::format("{}: tx_valid {} event {} quiescent {}", name(b), wires_[b].tx_valid,
                       hosts_[b].event, quiescent(b));
  }

  NicPorts(const nic::NicConfig&, std::uint32_t nics) : NicBank(nics) {}

  static std::string name(std::uint32_t b) { return nic_name(b); }
  static auto inputs(Model& m) {
    return std::tuple_cat(link_inputs(m), register_inputs(m), std::tie(m.event_ready_i));
  }
  static void idle(Model& m) {
    idle_ports(m);
    m.event_ready_i = 0;
  }

  void drive(std::uint32_t b, Model& m) {
    core::BlockWires& w = wires_[b];
    nic::HostWires& host = hosts_[b];
    m.rx_valid_i = static_cast<CData>(w.rx_valid);
    if (w.rx_valid != 0) {
      m.rx_vc_i = rx_[b].vc;
      m.rx_kind_i = rx_[b].kind;
      put_payload<P::FlitW>(m.rx_payload_i, 0, rx_[b]);
    }
    m.tx_credit_i = static_cast<CData>(w.tx_back);
    m.event_ready_i = host.ready;
    if (host.access) put_request(m, host.address, host.write, host.data);
    w.rx_valid = 0;
    w.tx_back = 0;
    host.access = host.write = host.ready = false;
  }

  void collect(std::uint32_t b, Model& m) {
    m.reg_valid_i = 0;
    core::BlockWires& w = wires_[b];
    w.tx_valid = m.tx_valid_o;
    w.rx_back = m.rx_credit_o;
    quiescent_[b] = m.quiescent_o;
    hosts_[b].event = m.event_valid_o;
    if (m.event_valid_o) hosts_[b].word = m.event_o;
    if (!m.tx_valid_o) return;
    tx_[b].vc = m.tx_vc_o;
    tx_[b].kind = m.tx_kind_o;
    get_payload<P::FlitW>(m.tx_payload_o, 0, tx_[b]);
  }
};

template <class V, class P>
inline constexpr MakeBank<NicModels> nic_maker =
    make_verilated<NicModels, VerilatedBank<NicPorts<V, P>>>;

}  // namespace muster::verif
