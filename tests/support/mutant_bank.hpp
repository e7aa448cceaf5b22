// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/bank.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/run/run.hpp"
#include "support/test.hpp"

/// A bank with a defect: what the blocks inside compute goes through `tamper`, which may change any
/// output (tx, tx_valid, rx_back) before it is on the wires, and shut an input. The blocks inside
/// do not know; their credit counters are kept in step by lose() and add(), so that it is not they
/// who notice.
class MutantBank : public muster::core::Bank {
 public:
  using Flit = muster::core::Flit;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Tamper = std::function<void(std::uint64_t cycle, MutantBank& outputs)>;

  /// `pocket`: number of the credit that sync flits take, or kNone.
  MutantBank(std::unique_ptr<Bank> inside, Tamper tamper, std::uint32_t pocket = kNone)
      : Bank(inside->blocks(), inside->ports()),
        pocket_(pocket),
        inside_(std::move(inside)),
        tamper_(std::move(tamper)),
        received_(blocks(), 0),
        shut_(std::size_t{blocks()} * ports(), 0),
        credit_debt_(std::size_t{blocks()} * ports() * kVcs, 0),
        unsettled_(blocks(), 0) {}

  bool busy(std::uint32_t b, std::uint32_t p) { return wires_[b].tx_valid >> p & 1; }
  /// The ports at which block b got a flit in this cycle.
  std::uint32_t received(std::uint32_t b) const { return received_[b]; }

  /// Takes the flit away; its credit comes back as if it had been received.
  void lose(std::uint32_t b, std::uint32_t p) {
    wires_[b].tx_valid &= ~(1u << p);
    owe(b, p, tx(b, p), -1);
  }
  /// Sends a flit that the block has not sent; the credit that comes back for it is kept from it.
  /// REQUIRES: not busy(b, p).
  void add(std::uint32_t b, std::uint32_t p, const Flit& flit) {
    send(b, p, flit);
    owe(b, p, flit, 1);
  }
  /// Takes the flit away for some time.
  Flit delay(std::uint32_t b, std::uint32_t p) {
    wires_[b].tx_valid &= ~(1u << p);
    return tx(b, p);
  }
  /// Sends a flit that was delayed.
  void send(std::uint32_t b, std::uint32_t p, const Flit& flit) {
    wires_[b].tx_valid |= 1u << p;
    tx(b, p) = flit;
  }

  /// From the next cycle on nothing that comes to port p in virtual channel vc gets into the block.
  void shut(std::uint32_t b, std::uint32_t p, std::uint8_t vc) {
    shut_[index(b, p)] |= static_cast<std::uint8_t>(1u << vc);
  }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    std::ranges::fill(received_, 0);
    for (const std::uint32_t b : awake) hand_inputs(b);
    inside_->clock(cycle, awake);
    for (const std::uint32_t b : awake) take_outputs(b);
    tamper_(cycle, *this);
    // A block that was made to drive something has to be clocked, or it would drive it for ever.
    for (std::uint32_t b = 0; b < blocks(); ++b)
      if (wires_[b].tx_valid != 0 || wires_[b].rx_back != 0 || unsettled_[b]) quiescent_[b] = 0;
  }

  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    inside_->write_register(block, address, value);
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return inside_->read_register(block, address);
  }
  std::string describe(std::uint32_t block) const override { return inside_->describe(block); }

 private:
  static constexpr std::uint32_t kVcs = 4;

  /// The credit of the flit, if it takes one, is to be kept back once more, or given.
  void owe(std::uint32_t b, std::uint32_t p, const Flit& flit, int more) {
    const std::uint32_t kind = flit.sync() ? pocket_ : flit.vc;
    if (kind == kNone) return;
    unsettled_[b] = 1;
    credit_debt_[index(b, p) * kVcs + kind] += more;
  }
  /// Credits that come for flits the block has not sent are kept; those of lost flits are given.
  std::uint64_t settle_credits(std::uint32_t b, std::uint64_t back) {
    unsettled_[b] = 0;
    for (std::uint32_t i = 0; i < ports() * kVcs; ++i) {
      int& owed = credit_debt_[index(b, 0) * kVcs + i];
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (owed > 0 && (back & bit)) {
        back &= ~bit;
        --owed;
      } else if (owed < 0 && !(back & bit)) {
        back |= bit;
        ++owed;
      }
      unsettled_[b] |= owed < 0;
    }
    return back;
  }
  void hand_inputs(std::uint32_t b) {
    auto& to = inside_->wires(b);
    to.rx_valid = received_[b] = std::exchange(wires_[b].rx_valid, 0);
    to.tx_back = settle_credits(b, std::exchange(wires_[b].tx_back, 0));
    for (std::uint32_t p = 0; p < ports(); ++p) {
      inside_->rx(b, p) = rx(b, p);
      if (shut_[index(b, p)] >> rx(b, p).vc & 1) to.rx_valid &= ~(1u << p);
    }
  }
  void take_outputs(std::uint32_t b) {
    wires_[b].tx_valid = inside_->wires(b).tx_valid;
    wires_[b].rx_back = inside_->wires(b).rx_back;
    for (std::uint32_t p = 0; p < ports(); ++p) tx(b, p) = inside_->tx(b, p);
    quiescent_[b] = inside_->quiescent(b);
  }

  std::uint32_t pocket_;
  std::unique_ptr<Bank> inside_;
  Tamper tamper_;
  std::vector<std::uint32_t> received_;
  std::vector<std::uint8_t> shut_;       ///< by block and port: virtual channels
  std::vector<int> credit_debt_;         ///< by block, port, channel: flits added less flits lost
  std::vector<std::uint8_t> unsettled_;  ///< by block: credits still to be given
};

/// Golden switches whose outputs go through `tamper`.
class MutantEngine : public muster::fabric::BankFactory {
 public:
  explicit MutantEngine(MutantBank::Tamper tamper) : tamper_(std::move(tamper)) {}
  std::string name() const override { return "mutant"; }
  bool supports(const muster::fabric::SwitchConfig&) const override { return true; }
  std::unique_ptr<muster::core::Bank> make_switches(
      const muster::fabric::SwitchConfig& config, std::uint32_t blocks,
      const muster::fabric::BankOptions& options) const override {
    auto golden = muster::run::make_golden_engine()->make_switches(config, blocks, options);
    return std::make_unique<MutantBank>(std::move(golden), tamper_);
  }

 private:
  MutantBank::Tamper tamper_;
};
