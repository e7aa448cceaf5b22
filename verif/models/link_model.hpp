// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "fabric/link_bank.hpp"
#include "fabric/link_config.hpp"
#include "models/model.hpp"
#include "models/names.hpp"
#include "models/ports.hpp"
#include "models/verilated_bank.hpp"

namespace muster::verif {

/// Link ends.
struct LinkModels
    : Models<fabric::LinkBank, fabric::LinkConfig, std::uint32_t, fabric::BankOptions> {
  static constexpr std::string_view kName = "link";
};

/// The ports of a link end. `ModelClass` is the class Verilator makes of muster_link_end.
template <class ModelClass>
class LinkPorts : public fabric::LinkBank {
 public:
  using Model = ModelClass;
  static constexpr bool kQuietAfterReset = false;  ///< it calls the other end

  std::string describe(std::uint32_t b) const override {
    return fmt::format("{}: tx_valid {:#x} rx_credit {:#x} irq {} quiescent {}", name(b),
                       wires_[b].tx_valid, wires_[b].rx_back, irq(b), quiescent(b));
  }

  LinkPorts(const fabric::LinkConfig& config, std::uint32_t ends)
      : LinkBank(config, ends), format_(config) {}

  static std::string name(std::uint32_t b) { return link_name(b); }
  static auto inputs(Model& m) {
    return std::tuple_cat(link_inputs(m), std::tie(m.frame_valid_i, m.frame_i), register_inputs(m));
  }
  static void idle(Model& m) {
    idle_ports(m);
    m.frame_valid_i = 0;
  }

  void drive(std::uint32_t b, Model& m) {
    core::BlockWires& w = wires_[b];
    m.rx_valid_i = w.rx_valid >> kBlockPort & 1;
    if (m.rx_valid_i != 0) {
      const core::Flit& flit = rx_[index(b, kBlockPort)];
      m.rx_vc_i = flit.vc;
      m.rx_kind_i = flit.kind;
      put_bits(m.rx_payload_i, 0, config_.flit_w, flit.lo);
    }
    m.frame_valid_i = w.rx_valid >> kWirePort & 1;
    if (m.frame_valid_i != 0)
      put_bits(m.frame_i, 0, format_.width(), format_.wires(rx_[index(b, kWirePort)]));
    m.tx_credit_i = static_cast<CData>(w.tx_back);
    w.rx_valid = 0;
    w.tx_back = 0;
  }

  void collect(std::uint32_t b, Model& m) {
    core::BlockWires& w = wires_[b];
    w.tx_valid = std::uint32_t{m.tx_valid_o} << kBlockPort | std::uint32_t{m.frame_valid_o}
                                                                 << kWirePort;
    w.rx_back = m.rx_credit_o;
    quiescent_[b] = m.quiescent_o;
    irq_[b] = m.irq_o;
    if (m.tx_valid_o) {
      core::Flit& flit = tx_[index(b, kBlockPort)];
      flit.vc = m.tx_vc_o;
      flit.kind = m.tx_kind_o;
      flit.lo = static_cast<std::uint64_t>(get_bits(m.tx_payload_o, 0, config_.flit_w));
    }
    if (m.frame_valid_o)
      tx_[index(b, kWirePort)] = format_.frame(get_bits(m.frame_o, 0, format_.width()));
    // A register is read between two cycles, when nothing comes.
    m.rx_valid_i = 0;
  }

 private:
  fabric::LinkFormat format_;
};

/// What is to be known of the parameters `P` a bank takes from its configuration.
template <class V, class P>
inline constexpr MakeBank<LinkModels> link_maker =
    make_verilated<LinkModels, VerilatedBank<LinkPorts<V>>>;

}  // namespace muster::verif
