// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/lockstep.hpp"
#include "lockstep/lockstep_bank.hpp"
#include "lockstep/report.hpp"
#include "models/names.hpp"
#include "muster/core/bank.hpp"

namespace muster::verif {

/// Blocks with links: flits and credits. `Contract` is core::Bank or derived from it.
template <class Contract, class Seen>
class LinkOutputs : public Contract {
 public:
  using Side = Contract;
  using Message = Seen;
  using Teller = std::function<std::string(const Message&)>;
  using Contract::Contract;

  static std::string show(std::uint64_t value) { return fmt::format("{:#x}", value); }
  static std::string show(const core::Flit& flit) { return verif::show(flit); }

  void give(std::uint32_t b, Side& side) const {
    each_row(b, side, [&](core::BlockWires& to, std::uint32_t row, std::uint32_t first) {
      const core::BlockWires& in = this->wires_[std::size_t{b} * this->rows_ + row];
      to.rx_valid = in.rx_valid;
      to.tx_back = in.tx_back;
      core::for_each_bit(in.rx_valid, [&](std::uint32_t p) {
        side.rx(b, first + p) = this->rx_[this->index(b, first + p)];
      });
    });
  }
  template <class See>
  void consume(std::uint32_t b, std::uint64_t cycle, See&& see) {
    each_row(b, *this, [&](core::BlockWires& in, std::uint32_t, std::uint32_t first) {
      core::for_each_bit(in.rx_valid, [&](std::uint32_t p) {
        see(LinkMessage{this->rx_[this->index(b, first + p)], cycle, first + p, false});
      });
      in.rx_valid = 0;
      in.tx_back = 0;
    });
  }
  template <class Same>
  void compare(std::uint32_t b, Side& golden, Side& rtl, Same&& same) {
    each_row(b, rtl, [&](const core::BlockWires& have, std::uint32_t row, std::uint32_t first) {
      const core::BlockWires& want = golden.wires(b, row);
      same(Output{"tx_valid"}, want.tx_valid, have.tx_valid);
      same(Output{"rx_credit"}, want.rx_back, have.rx_back);
      core::for_each_bit(have.tx_valid, [&](std::uint32_t p) {
        same(Output{"tx", first + p}, golden.tx(b, first + p), rtl.tx(b, first + p));
      });
    });
  }
  template <class See>
  void take(std::uint32_t b, std::uint64_t cycle, Side& rtl, See&& see) {
    each_row(b, rtl, [&](const core::BlockWires& out, std::uint32_t row, std::uint32_t first) {
      core::for_each_bit(out.tx_valid, [&](std::uint32_t p) {
        const core::Flit& flit = rtl.tx(b, first + p);
        this->tx_[this->index(b, first + p)] = flit;
        see(LinkMessage{flit, cycle, first + p, true});
      });
      this->wires(b, row).tx_valid = out.tx_valid;
      this->wires(b, row).rx_back = out.rx_back;
    });
  }

  static std::string text(std::uint32_t b, const Side& side) { return side.describe(b); }

  /// Calls f(wires, row, first port) for the wires of a block.
  static void each_row(std::uint32_t b, auto& bank, auto&& f) {
    for (std::uint32_t row = 0; row < bank.rows(); ++row)
      f(bank.wires(b, row), row, row * core::kRowPorts);
  }

  /// The outputs, then all registers. `name_of(address)` names a register.
  template <class NameOf>
  static std::vector<StateWord> link_state(std::uint32_t b, Side& side, NameOf&& name_of) {
    static constexpr std::uint32_t kAddresses = 1u << 12;
    const auto number = [](std::uint64_t value) { return value == 0 ? "" : show(value); };
    std::vector<StateWord> words = {{"quiescent", number(side.quiescent(b))}};
    each_row(b, side, [&](const core::BlockWires& w, std::uint32_t, std::uint32_t first) {
      const std::string of = side.rows() == 1 ? "" : fmt::format(" from port {} on", first);
      words.push_back({"tx_valid" + of, number(w.tx_valid)});
      words.push_back({"rx_credit (4 bits a port)" + of, number(w.rx_back)});
      for (std::uint32_t p = first; p < std::min(side.ports(), first + core::kRowPorts); ++p)
        words.push_back({Output{"tx", p}.text(),
                         (w.tx_valid >> (p - first) & 1) != 0 ? show(side.tx(b, p)) : ""});
    });
    for (std::uint32_t a = 0; a < kAddresses; ++a)
      words.push_back({addressed(name_of(a), a), number(side.read_register(b, a))});
    return words;
  }
};

/// A switch has no outputs but those of its links.
class SwitchOutputs : public LinkOutputs<core::Bank, LinkMessage> {
 public:
  explicit SwitchOutputs(const Side& device) : LinkOutputs(device.blocks(), device.ports()) {}

  static std::string name(std::uint32_t b) { return switch_name(b); }
  static std::string register_name(std::uint32_t address);
  static std::vector<StateWord> state(std::uint32_t b, Side& side) {
    return link_state(b, side, register_name);
  }
  static Teller teller(std::uint32_t b, Side& side);
};

using LockstepSwitchBank = LockstepBank<SwitchOutputs>;

}  // namespace muster::verif
