// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/model.hpp"
#include "models/names.hpp"
#include "models/ports.hpp"
#include "models/verilated_bank.hpp"
#include "muster/core/bank.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::verif {

/// Switches of any kind.
struct SwitchModels : Models<core::Bank, fabric::SwitchConfig, std::uint32_t, fabric::BankOptions> {
  static constexpr std::string_view kName = "switch";
};

/// The ports of a switch. `ModelClass` is the class Verilator makes of a switch with the parameters
/// `P`.
template <class ModelClass, class P>
class SwitchPorts : public core::Bank {
 public:
  using Model = ModelClass;

  std::string describe(std::uint32_t b) const override {
    return fmt::format("{}: tx_valid {:#x} rx_credit {:#x} quiescent {}", name(b),
                       wires_[b].tx_valid, wires_[b].rx_back, quiescent(b));
  }

  SwitchPorts(const fabric::SwitchConfig& config, std::uint32_t blocks)
      : Bank(blocks, P::Ports),
        extra_credit_(fabric::has_extra_credit(fabric::sync_credits(config))),
        late_writes_(config.kind->late_writes) {}

  static std::string name(std::uint32_t b) { return switch_name(b); }
  static auto inputs(Model& m) { return link_inputs(m); }
  static void idle(Model& m) { idle_ports(m); }

  bool late_writes() const { return late_writes_; }

  void drive(std::uint32_t b, Model& model) {
    auto& m = *model.rootp;  // its ports; the model itself has only references to them
    if constexpr (Ports > core::kRowPorts)
      drive_rows(b, m);
    else
      drive_row(b, m);
  }

  void collect(std::uint32_t b, const Model& model) {
    const auto& m = *model.rootp;
    quiescent_[b] = m.quiescent_o;
    if constexpr (requires { m.irq_o; }) irq_[b] = m.irq_o;
    if constexpr (Ports > core::kRowPorts)
      collect_rows(b, m);
    else
      collect_row(b, m);
  }

  /// Verilator puts plain variables first, then the routing table, of which little is used, then
  /// the queues.
  static void prefetch(const Model& model) {
    constexpr std::size_t kLine = 64, kPlain = 1280, kQueues = 512;
    const auto* state = reinterpret_cast<const char*>(model.rootp);
    constexpr std::size_t kSize = sizeof(*Model::rootp);
    for (std::size_t at = 0; at < kPlain; at += kLine) __builtin_prefetch(state + at);
    for (std::size_t at = kSize - kQueues; at < kSize; at += kLine) __builtin_prefetch(state + at);
  }

 private:
  static constexpr unsigned Ports = P::Ports, Vcs = P::Vcs, FlitW = P::FlitW;
  static constexpr unsigned kVcW = Vcs > 1 ? (Vcs > 2 ? 2 : 1) : 1;
  static constexpr unsigned kKindW = 3;

  void drive_row(std::uint32_t b, auto& m) {
    core::BlockWires& w = wires_[b];
    set_port(m.rx_valid_i, w.rx_valid);
    if (w.rx_valid != 0) {
      std::uint64_t vc = 0, kind = 0;
      for (std::uint32_t rest = w.rx_valid; rest != 0; rest &= rest - 1) {
        const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
        const core::Flit& flit = rx_[index(b, p)];
        vc |= std::uint64_t{flit.vc} << (kVcW * p);
        kind |= std::uint64_t{flit.kind} << (kKindW * p);
        put_payload<FlitW>(m.rx_payload_i, p, flit);
      }
      set_port(m.rx_vc_i, vc);
      set_port(m.rx_kind_i, kind);
    }
    set_port(m.tx_credit_i, w.tx_back == 0  ? 0
                            : extra_credit_ ? pack_back<Ports, Vcs + 1>(w.tx_back)
                                            : pack_back<Ports, Vcs>(w.tx_back));
    w.rx_valid = 0;
    w.tx_back = 0;
  }

  void collect_row(std::uint32_t b, const auto& m) {
    core::BlockWires& w = wires_[b];
    w.tx_valid = m.tx_valid_o;
    w.rx_back = m.rx_credit_o == 0 ? 0
                : extra_credit_    ? unpack_back<Ports, Vcs + 1>(m.rx_credit_o)
                                   : unpack_back<Ports, Vcs>(m.rx_credit_o);
    const std::uint64_t vc = m.tx_vc_o, kind = m.tx_kind_o;
    for (std::uint32_t rest = w.tx_valid; rest != 0; rest &= rest - 1) {
      const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
      core::Flit& flit = tx_[index(b, p)];
      flit.vc = static_cast<std::uint8_t>((vc >> (kVcW * p)) & ((1u << kVcW) - 1));
      flit.kind = static_cast<std::uint8_t>((kind >> (kKindW * p)) & 7);
      get_payload<FlitW>(m.tx_payload_o, p, flit);
    }
  }

  /// The same where the fields of all ports take more than a word.
  void drive_rows(std::uint32_t b, auto& m) {
    const unsigned bits = Vcs + (extra_credit_ ? 1 : 0);
    std::uint64_t valid = 0;
    for (std::uint32_t p = 0; p < Ports; ++p) {
      core::BlockWires& w = wires(b, p / core::kRowPorts);
      const std::uint32_t at = p % core::kRowPorts;
      put_bits(m.tx_credit_i, p * bits, bits, w.tx_back >> (4 * at));
      if ((w.rx_valid >> at & 1) == 0) continue;
      const core::Flit& flit = rx_[index(b, p)];
      valid |= std::uint64_t{1} << p;
      put_bits(m.rx_vc_i, p * kVcW, kVcW, flit.vc);
      put_bits(m.rx_kind_i, p * kKindW, kKindW, flit.kind);
      put_payload<FlitW>(m.rx_payload_i, p, flit);
    }
    set_port(m.rx_valid_i, valid);
    for (std::uint32_t row = 0; row < rows(); ++row)
      wires(b, row).rx_valid = 0, wires(b, row).tx_back = 0;
  }
  void collect_rows(std::uint32_t b, const auto& m) {
    const unsigned bits = Vcs + (extra_credit_ ? 1 : 0);
    for (std::uint32_t row = 0; row < rows(); ++row) {
      core::BlockWires& w = wires(b, row);
      const std::uint32_t first = row * core::kRowPorts;
      w.tx_valid = static_cast<std::uint16_t>(m.tx_valid_o >> first);
      w.rx_back = 0;
      for (std::uint32_t p = first; p < std::min(Ports, first + core::kRowPorts); ++p)
        w.rx_back |= std::uint64_t{element(m.rx_credit_o, p, bits)} << (4 * (p - first));
      core::for_each_bit(w.tx_valid, [&](std::uint32_t at) {
        core::Flit& flit = tx_[index(b, first + at)];
        flit.vc = static_cast<std::uint8_t>(get_bits(m.tx_vc_o, (first + at) * kVcW, kVcW));
        flit.kind = static_cast<std::uint8_t>(get_bits(m.tx_kind_o, (first + at) * kKindW, kKindW));
        get_payload<FlitW>(m.tx_payload_o, first + at, flit);
      });
    }
  }

  /// A bit behind those of the virtual channels in the credits of each port.
  const bool extra_credit_;
  const bool late_writes_;
};

template <class V, class P>
inline constexpr MakeBank<SwitchModels> switch_maker =
    make_verilated<SwitchModels, VerilatedBank<SwitchPorts<V, P>>>;

}  // namespace muster::verif
