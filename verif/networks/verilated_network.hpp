// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <vector>

#include "models/clocking.hpp"
#include "muster/fabric/network_model.hpp"
#include "networks/axi_host.hpp"

namespace muster::verif {

/// The class `Top` of an exported network of so many nodes, after reset.
template <class Top, unsigned Nodes>
class VerilatedNetwork final : public fabric::HostedNetwork {
 public:
  VerilatedNetwork() : top_(&context_) {
    for (unsigned node = 0; node < Nodes; ++node) {
      hosts_.emplace_back(top_, node);
      set_element(top_.m_axis_tready_i, node, 1, 1);
      set_element(top_.s_axis_tvalid_i, node, 1, 0);
    }
    hosts_.emplace_back(top_, AxiHost<Top>::kControl);
    for (AxiHost<Top>& host : hosts_) host.drive();
    reset_model(top_);
  }
  ~VerilatedNetwork() override {
    Verilated::threadContextp(&context_);  // that of another module may be gone
    top_.final();
  }

  bool ready() const override { return top_.ready_o != 0; }
  void read(std::uint32_t port, std::uint32_t address) override { hosts_[port].read(address); }
  void write(std::uint32_t port, std::uint32_t address, std::uint32_t word) override {
    hosts_[port].write(address, word);
  }
  void step() override {
    for (AxiHost<Top>& host : hosts_) host.drive();
    top_.eval();
    for (AxiHost<Top>& host : hosts_) host.see();
    rise(top_);
  }
  bool idle(std::uint32_t port) const override { return hosts_[port].idle(); }
  bool refused(std::uint32_t port) const override { return hosts_[port].refused(); }
  std::uint32_t word(std::uint32_t port) const override { return hosts_[port].word(); }
  bool irq(std::uint32_t node) const override { return hosts_[node].irq(); }

 private:
  VerilatedContext context_;
  Top top_;
  std::vector<AxiHost<Top>> hosts_;  ///< of the nodes, then of the control port
};

}  // namespace muster::verif
