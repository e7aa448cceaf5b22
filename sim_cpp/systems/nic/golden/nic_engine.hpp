// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/bank.hpp"
#include "systems/nic/golden/nic_context.hpp"
#include "systems/nic/golden/nic_direct.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_factory.hpp"

namespace muster::golden {

/// One NIC barrier engine as docs/systems/nic-engine.md, docs/systems/nic-link.md and
/// docs/systems/nic-events.md describe it.
class NicEngine {
 public:
  explicit NicEngine(const nic::NicConfig& config);

  /// A cycle: reads and clears the inputs, sets the outputs of the next cycle.
  void clock(core::BlockWires& wires, const core::Flit& rx, core::Flit& tx, nic::HostWires& host);
  /// Clocking it with idle inputs would change nothing, except for the link outputs that it drives.
  bool quiet() const;

  /// The register port between two cycles.
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;
  std::string describe() const;

 private:
  static constexpr std::size_t kReplies = 4, kEvents = 8;

  /// Who loads the event register.
  struct Load {
    bool open = false;                     ///< the register is free or being freed
    std::optional<std::uint32_t> context;  ///< whose notice it is
    std::optional<std::uint32_t> dead;     ///< connection whose notice it is
    bool queue = false;                    ///< the oldest of the event queue
    std::optional<std::uint32_t> word;
  };
  /// Who is granted the transmitter: a context, else the reply queue, else the direct path.
  struct Grant {
    std::optional<std::uint32_t> asker, context;
    bool reply = false, direct = false, nack = false;
    std::optional<nic::NicMessage> message;
  };
  /// Whose token is queued, and who is told so.
  struct Pick {
    std::optional<NicToken> token;
    std::uint32_t peer = 0;
    std::optional<std::uint32_t> context;  ///< whose entry is done
    std::optional<std::uint32_t> pointer;  ///< of the round robin from now on
    bool refused = false;
  };
  /// The outcome of the message in the message register.
  struct Handling {
    NicDrop drop = NicDrop::kNone;
    std::optional<std::uint32_t> context;  ///< that `verdict` is for
    NicVerdict verdict;
    std::optional<std::uint32_t> accepts;  ///< connection that accepts it
    std::optional<nic::NicMessage> reply;
    std::optional<std::uint32_t> event;
    std::optional<NicCount> count;  ///< of the event unit
  };
  /// A write of the host to the control word or the doorbell of a context.
  struct ContextWrite {
    std::uint32_t context = 0;
    bool doorbell = false;
    bool releases = false, accepted = false;  ///< of a doorbell; else it starts
  };
  Load choose_load(bool ready) const;
  Grant choose_grant() const;
  Pick choose_token(const nic::HostWires& host) const;
  Handling handle() const;
  void handle_step(Handling& h, const nic::NicMessage& m) const;
  void handle_chained(Handling& h, const nic::NicMessage& m) const;
  void handle_direct(Handling& h, const nic::NicMessage& m) const;
  std::optional<std::uint32_t> context_of(const nic::NicMessage& m, bool direct) const;
  NicNotice notice(std::uint32_t c) const;
  std::uint32_t notice_word(std::uint32_t c) const;
  bool accepts(std::uint32_t c, std::uint32_t doorbell) const;
  std::optional<ContextWrite> context_write(const nic::HostWires& host) const;
  void write_context(std::uint32_t c, std::uint32_t word, std::uint32_t value);
  void count(NicDrop drop);
  std::uint32_t read_context(std::uint32_t c, std::uint32_t word) const;

  nic::NicConfig config_;
  std::vector<NicContext> contexts_;  ///< none with an event unit
  std::optional<NicEventUnit> unit_;
  NicDirect direct_;
  NicReceive receive_;
  NicTransmit transmit_;
  std::deque<nic::NicMessage> replies_;
  std::deque<std::uint32_t> events_;
  std::optional<std::uint32_t> event_;  ///< the event register
  NicTimes times_;
  std::uint32_t address_ = 0, gap_ = 0;
  std::uint8_t channel_ = 0;
  std::uint32_t pointer_ = 0, token_pointer_ = 0;
  std::array<std::uint8_t, 4> drops_{};  ///< malformed, then as NicDrop
  std::uint8_t refused_ = 0;
};

/// NIC barrier engines of one configuration on the engine `golden`.
class GoldenNicBank : public nic::NicBank, public core::Divisible {
 public:
  /// Throws InputError if `config` is out of range.
  GoldenNicBank(const nic::NicConfig& config, std::uint32_t nics)
      : NicBank(nics), nics_(nics, NicEngine(nic::validate(config))) {
    quiescent_.assign(nics, 1);
  }

  core::Divisible* divisible() override { return this; }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
  }
  void clock_some(std::uint64_t, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      nics_[b].clock(wires_[b], rx_[b], tx_[b], hosts_[b]);
      quiescent_[b] = wires_[b].tx_valid == 0 && wires_[b].rx_back == 0 && nics_[b].quiet();
    }
  }
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    nics_[block].write_register(address, value);
    quiescent_[block] = nics_[block].quiet();
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return nics_[block].read_register(address);
  }
  std::string describe(std::uint32_t block) const override { return nics_[block].describe(); }

 private:
  std::vector<NicEngine> nics_;
};

/// Makes golden NICs of every legal configuration.
std::shared_ptr<const nic::NicFactory> make_golden_nics();

}  // namespace muster::golden
