// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/lockstep.hpp"
#include "lockstep/lockstep_bank.hpp"
#include "lockstep/report.hpp"
#include "models/names.hpp"
#include "muster/core/bank.hpp"

namespace muster::verif {

/// Blocks with links: flits and credits. `Contract` is core::Bank or derived from it.
template <class Contract>
class LinkOutputs : public Contract {
 public:
  using Side = Contract;
  using Contract::Contract;

  static std::string show(std::uint64_t value) { return fmt::format("{:#x}", value); }
  static std::string show(const core::Flit& flit) { return verif::show(flit); }

  void give(std::uint32_t b, Side& side) const {
    const core::BlockWires& in = this->wires_[b];
    side.wires(b).rx_valid = in.rx_valid;
    side.wires(b).tx_back = in.tx_back;
    for (std::uint32_t rest = in.rx_valid; rest != 0; rest &= rest - 1) {
      const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
      side.rx(b, p) = this->rx_[this->index(b, p)];
    }
  }
  template <class See>
  void consume(std::uint32_t b, std::uint64_t cycle, See&& see) {
    core::BlockWires& in = this->wires_[b];
    for (std::uint32_t rest = in.rx_valid; rest != 0; rest &= rest - 1) {
      const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
      see(LinkMessage{this->rx_[this->index(b, p)], cycle, p, false});
    }
    in.rx_valid = 0;
    in.tx_back = 0;
  }
  template <class Same>
  void compare(std::uint32_t b, Side& golden, Side& rtl, Same&& same) {
    const core::BlockWires &want = golden.wires(b), &have = rtl.wires(b);
    same(Output{"tx_valid"}, want.tx_valid, have.tx_valid);
    same(Output{"rx_credit"}, want.rx_back, have.rx_back);
    for (std::uint32_t rest = have.tx_valid; rest != 0; rest &= rest - 1) {
      const int p = __builtin_ctz(rest);
      const auto port = static_cast<unsigned>(p);
      same(Output{"tx", p}, golden.tx(b, port), rtl.tx(b, port));
    }
  }
  template <class See>
  void take(std::uint32_t b, std::uint64_t cycle, Side& rtl, See&& see) {
    const core::BlockWires& out = rtl.wires(b);
    for (std::uint32_t rest = out.tx_valid; rest != 0; rest &= rest - 1) {
      const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
      const core::Flit& flit = rtl.tx(b, p);
      this->tx_[this->index(b, p)] = flit;
      see(LinkMessage{flit, cycle, p, true});
    }
    this->wires_[b].tx_valid = out.tx_valid;
    this->wires_[b].rx_back = out.rx_back;
  }

  /// The outputs, then all registers. `name_of(address)` names a register.
  template <class NameOf>
  static std::vector<StateWord> link_state(std::uint32_t b, Side& side, NameOf&& name_of) {
    static constexpr std::uint32_t kAddresses = 1u << 12;
    const auto number = [](std::uint64_t value) { return value == 0 ? "" : show(value); };
    const core::BlockWires& w = side.wires(b);
    std::vector<StateWord> words = {{"tx_valid", number(w.tx_valid)},
                                    {"rx_credit (4 bits a port)", number(w.rx_back)},
                                    {"quiescent", number(side.quiescent(b))}};
    for (std::uint32_t p = 0; p < side.ports(); ++p)
      words.push_back({Output{"tx", static_cast<int>(p)}.text(),
                       (w.tx_valid >> p & 1) != 0 ? show(side.tx(b, p)) : ""});
    for (std::uint32_t a = 0; a < kAddresses; ++a)
      words.push_back({name_of(a), number(side.read_register(b, a))});
    return words;
  }
};

/// A switch has no outputs but those of its links.
class SwitchOutputs : public LinkOutputs<core::Bank> {
 public:
  using Message = LinkMessage;

  explicit SwitchOutputs(const Side& device) : LinkOutputs(device.blocks(), device.ports()) {}

  static std::string name(std::uint32_t b) { return switch_name(b); }
  static std::string register_name(std::uint32_t address);
  static std::vector<StateWord> state(std::uint32_t b, Side& side) {
    return link_state(b, side, register_name);
  }
  static std::string text(std::uint32_t b, const Side& side) { return side.describe(b); }
  static std::vector<std::string> lines(std::uint32_t b, Side& side,
                                        const std::vector<Message>& messages);
};

using LockstepSwitchBank = LockstepBank<SwitchOutputs>;

}  // namespace muster::verif
