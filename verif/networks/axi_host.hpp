// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/ports.hpp"

namespace muster::verif {

/// The host of a node of an exported network, or of its control port, at the AXI4-Lite port: one
/// access at a time. A cycle is drive(), settle the module, see().
template <class Top>
class AxiHost {
 public:
  static constexpr unsigned kControl = ~0u;

  AxiHost(Top& top, unsigned node) : top_(top), node_(node) {}

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
  bool refused() const { return refused_; }     ///< an access was answered with an error
  bool irq() const { return irq_; }             ///< in the cycle that was seen last

  void drive() {
    set(top_.ctl_awvalid_i, top_.node_awvalid_i, 1, aw_);
    set(top_.ctl_wvalid_i, top_.node_wvalid_i, 1, w_);
    set(top_.ctl_arvalid_i, top_.node_arvalid_i, 1, ar_);
    set(top_.ctl_awaddr_i, top_.node_awaddr_i, 14, 4 * address_);
    set(top_.ctl_araddr_i, top_.node_araddr_i, 14, 4 * address_);
    set(top_.ctl_wdata_i, top_.node_wdata_i, 32, value_);
    set(top_.ctl_wstrb_i, top_.node_wstrb_i, 4, 15);
    set(top_.ctl_bready_i, top_.node_bready_i, 1, 1);
    set(top_.ctl_rready_i, top_.node_rready_i, 1, 1);
  }
  void see() {
    if (get(top_.ctl_awready_o, top_.node_awready_o, 1) != 0) aw_ = false;
    if (get(top_.ctl_wready_o, top_.node_wready_o, 1) != 0) w_ = false;
    if (get(top_.ctl_arready_o, top_.node_arready_o, 1) != 0) ar_ = false;
    if (b_ && get(top_.ctl_bvalid_o, top_.node_bvalid_o, 1) != 0) {
      refused_ = refused_ || get(top_.ctl_bresp_o, top_.node_bresp_o, 2) != 0;
      b_ = false;
    }
    if (r_ && get(top_.ctl_rvalid_o, top_.node_rvalid_o, 1) != 0) {
      refused_ = refused_ || get(top_.ctl_rresp_o, top_.node_rresp_o, 2) != 0;
      word_ = get(top_.ctl_rdata_o, top_.node_rdata_o, 32);
      r_ = false;
    }
    if (node_ != kControl) irq_ = element(top_.irq_o, node_, 1) != 0;
  }

 private:
  template <class Control, class Nodes>
  std::uint32_t get(const Control& control, const Nodes& nodes, unsigned width) const {
    return node_ == kControl ? std::uint32_t{control} : element(nodes, node_, width);
  }
  template <class Control, class Nodes>
  void set(Control& control, Nodes& nodes, unsigned width, std::uint32_t value) {
    if (node_ == kControl)
      control = static_cast<Control>(value);
    else
      set_element(nodes, node_, width, value);
  }

  Top& top_;
  unsigned node_;
  bool aw_ = false, w_ = false, b_ = false, ar_ = false, r_ = false;
  bool irq_ = false, refused_ = false;
  std::uint32_t address_ = 0, value_ = 0, word_ = 0;
};

}  // namespace muster::verif
