// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/lockstep_nic.hpp"
#include "models/ports.hpp"
#include "models/verilated_bank.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_factory.hpp"

namespace muster::verif {

/// How the banks of a model of kind `nic` are made.
struct NicMakers {
  static constexpr std::string_view kKind = "nic";
  std::unique_ptr<nic::NicBank> (*rtl)(std::uint32_t nics, const fabric::BankOptions& options);
  std::unique_ptr<nic::NicBank> (*lockstep)(std::unique_ptr<nic::NicBank> golden,
                                            std::unique_ptr<nic::NicBank> rtl);
};

struct NicModel {
  nic::NicConfig config;
};

/// Those of listed_models() that are NIC barrier engines.
std::vector<NicModel> nic_models();

/// All inputs of a NIC's model: link, register port, event port.
template <class Model>
struct NicInputs : LinkInputs<Model> {
  PortValue<decltype(Model::reg_valid_i)> reg_valid;
  PortValue<decltype(Model::reg_write_i)> reg_write;
  PortValue<decltype(Model::reg_addr_i)> reg_addr;
  PortValue<decltype(Model::reg_wdata_i)> reg_wdata;
  PortValue<decltype(Model::event_ready_i)> event_ready;

  explicit NicInputs(const Model& m)
      : LinkInputs<Model>(m),
        reg_valid(m.reg_valid_i),
        reg_write(m.reg_write_i),
        reg_addr(m.reg_addr_i),
        reg_wdata(m.reg_wdata_i),
        event_ready(m.event_ready_i) {}
  void put(Model& m) const {
    LinkInputs<Model>::put(m);
    m.reg_valid_i = reg_valid;
    m.reg_write_i = reg_write;
    m.reg_addr_i = reg_addr;
    m.reg_wdata_i = reg_wdata;
    m.event_ready_i = event_ready;
  }
};

/// The ports of a NIC barrier engine. `ModelClass` is the class Verilator makes of nic_engine.
/// Instances are named by their node.
template <class ModelClass, unsigned FlitW>
class NicPorts : public nic::NicBank {
 public:
  std::string describe(std::uint32_t b) const override {
    return fmt::format("{}: tx_valid {} event {} quiescent {}", name(b), wires_[b].tx_valid,
                       hosts_[b].event, quiescent(b));
  }

 protected:
  using Model = ModelClass;
  using Inputs = NicInputs<Model>;

  explicit NicPorts(std::uint32_t nics) : NicBank(nics) {}

  static std::string name(std::uint32_t b) { return fmt::format("nic{}", b); }

  static void idle(Model& m) {
    m.rx_valid_i = 0;
    m.tx_credit_i = 0;
    m.reg_valid_i = 0;
    m.event_ready_i = 0;
  }

  void drive(std::uint32_t b, Model& m) {
    core::BlockWires& w = wires_[b];
    nic::HostWires& host = hosts_[b];
    m.rx_valid_i = static_cast<CData>(w.rx_valid);
    if (w.rx_valid != 0) {
      m.rx_vc_i = rx_[b].vc;
      m.rx_kind_i = rx_[b].kind;
      put_payload<FlitW>(m.rx_payload_i, 0, rx_[b]);
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
    get_payload<FlitW>(m.tx_payload_o, 0, tx_[b]);
  }
};

template <class Model, unsigned FlitW>
using VerilatedNicBank = VerilatedBank<NicPorts<Model, FlitW>>;

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr NicMakers nic_makers = {
    [](std::uint32_t nics, const fabric::BankOptions& options) -> std::unique_ptr<nic::NicBank> {
      return std::make_unique<VerilatedNicBank<V, P::FlitW>>(nics, options);
    },
    [](std::unique_ptr<nic::NicBank> golden,
       std::unique_ptr<nic::NicBank> rtl) -> std::unique_ptr<nic::NicBank> {
      return std::make_unique<LockstepNicBank>(std::move(golden), std::move(rtl));
    }};

}  // namespace muster::verif
