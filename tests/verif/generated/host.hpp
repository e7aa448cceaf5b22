// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>

#include "sw/muster_registers.h"
#include "verif/generated/packed.hpp"

namespace muster::test {

/// The host of a node, at its AXI4-Lite port: one access at a time. A cycle is drive(), settle the
/// module, see().
template <class Top>
class Host {
 public:
  Host(Top& top, unsigned node) : top_(top), node_(node) {}

  /// REQUIRES: idle(). The address is that of a word.
  void write(std::uint32_t address, std::uint32_t value) {
    aw_ = w_ = true;
    b_ = true;
    address_ = address;
    value_ = value;
  }
  void read(std::uint32_t address) {
    ar_ = true;
    r_ = true;
    address_ = address;
  }
  bool idle() const { return !b_ && !r_; }
  std::uint32_t word() const { return word_; }  ///< of the last read
  bool irq() const { return irq_; }             ///< in the cycle that was seen last

  void drive() {
    set_element(top_.node_awvalid_i, node_, 1, aw_);
    set_element(top_.node_wvalid_i, node_, 1, w_);
    set_element(top_.node_arvalid_i, node_, 1, ar_);
    set_element(top_.node_awaddr_i, node_, 14, 4 * address_);
    set_element(top_.node_araddr_i, node_, 14, 4 * address_);
    set_element(top_.node_wdata_i, node_, 32, value_);
    set_element(top_.node_wstrb_i, node_, 4, 15);
    set_element(top_.node_bready_i, node_, 1, 1);
    set_element(top_.node_rready_i, node_, 1, 1);
  }
  void see() {
    if (element(top_.node_awready_o, node_, 1) != 0) aw_ = false;
    if (element(top_.node_wready_o, node_, 1) != 0) w_ = false;
    if (element(top_.node_arready_o, node_, 1) != 0) ar_ = false;
    if (b_ && element(top_.node_bvalid_o, node_, 1) != 0) {
      REQUIRE(element(top_.node_bresp_o, node_, 2) == 0);
      b_ = false;
    }
    if (r_ && element(top_.node_rvalid_o, node_, 1) != 0) {
      REQUIRE(element(top_.node_rresp_o, node_, 2) == 0);
      word_ = element(top_.node_rdata_o, node_, 32);
      r_ = false;
    }
    irq_ = element(top_.irq_o, node_, 1) != 0;
  }

 private:
  Top& top_;
  unsigned node_;
  bool aw_ = false, w_ = false, b_ = false, ar_ = false, r_ = false, irq_ = false;
  std::uint32_t address_ = 0, value_ = 0, word_ = 0;
};

}  // namespace muster::test
