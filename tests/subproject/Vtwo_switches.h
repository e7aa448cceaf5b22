// SPDX-License-Identifier: Apache-2.0
// examples/two_switches/two_switches.sv in C++: two Verilated switches of parameters of this
// project, wired as there, with the ports that the main program of the example knows.
#pragma once

#include <cstdint>

#include "Vmy_switch.h"

class Vtwo_switches {
 public:
  std::uint8_t clk_i = 0, rst_ni = 0;
  std::uint8_t node_valid_i = 0, node_credit_i = 0, node_valid_o = 0, node_credit_o = 0;
  std::uint16_t node_kind_i = 0, node_kind_o = 0;
  std::uint64_t node_payload_i = 0, node_payload_o = 0;
  std::uint8_t reg_valid_i = 0, reg_write_i = 0;
  std::uint32_t reg_addr_i = 0, reg_wdata_i = 0;
  std::uint64_t reg_rdata_o = 0;

  /// All outputs of a switch are registers: what one sends is there before the other is clocked.
  void eval() {
    for (int s = 0; s < 2; ++s) {
      switches_[s].clk_i = clk_i;
      switches_[s].rst_ni = rst_ni;
      switches_[s].reg_valid_i = reg_valid_i >> s & 1;
      switches_[s].reg_write_i = reg_write_i;
      switches_[s].reg_addr_i = static_cast<std::uint16_t>(reg_addr_i);
      switches_[s].reg_wdata_i = reg_wdata_i;
    }
    if (clk_i == 0) wire();
    for (Vmy_switch& one : switches_) one.eval();
    show();
  }

 private:
  /// Ports 0 and 1 are of nodes, port 2 of the other switch.
  void wire() {
    for (int s = 0; s < 2; ++s) {
      const Vmy_switch& other = switches_[1 - s];
      Vmy_switch& one = switches_[s];
      one.rx_vc_i = 0;
      one.rx_valid_i = (node_valid_i >> 2 * s & 3) | (other.tx_valid_o & 4);
      one.rx_kind_i = (node_kind_i >> 6 * s & 0x3f) | (other.tx_kind_o & 0x1c0);
      one.rx_payload_i =
          (node_payload_i >> 32 * s & 0xffffffff) | (other.tx_payload_o & 0xffff00000000);
      one.tx_credit_i = (node_credit_i >> 2 * s & 3) | (other.rx_credit_o & 4);
    }
  }
  void show() {
    node_valid_o = node_credit_o = 0;
    node_kind_o = 0;
    node_payload_o = reg_rdata_o = 0;
    for (int s = 0; s < 2; ++s) {
      node_valid_o |= (switches_[s].tx_valid_o & 3) << 2 * s;
      node_credit_o |= (switches_[s].rx_credit_o & 3) << 2 * s;
      node_kind_o |= (switches_[s].tx_kind_o & 0x3f) << 6 * s;
      reg_rdata_o |= std::uint64_t{switches_[s].reg_rdata_o} << 32 * s;
      node_payload_o |= (switches_[s].tx_payload_o & 0xffffffff) << 32 * s;
    }
  }

  Vmy_switch switches_[2];
};
