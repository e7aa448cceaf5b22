// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <vector>

#include "Vnic_event2.h"
#include "Vnic_seq2.h"
#include "rtl/clocked.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::test {

namespace regs = nic::registers;
using nic::NicMessage;
using nic::NicType;

/// What nic_engine has put on its wires, with the cycle of its head.
struct Sent {
  std::uint64_t cycle;
  NicMessage message;
};
struct Event {
  std::uint64_t cycle;
  std::uint32_t word;
};

/// One nic_engine with 2 contexts, 4 entries, 2 connections and records, SeqW 2: node 5, channel 0.
/// Its link is good and its host takes events at once unless the test says otherwise.
template <class Model>
class NicEngineBench {
 public:
  static constexpr std::uint32_t kNode = 5;

  NicEngineBench() : dut_(1) {
    dut_->reg_valid_i = dut_->rx_valid_i = dut_->rx_vc_i = dut_->tx_credit_i = 0;
    dut_->event_ready_i = 0;
    dut_.reset();
    store(regs::kAddress, regs::address_word(kNode, 0));
  }

  bool credits = true;  ///< come back one cycle after the flit
  bool ready = true;    ///< of the event port
  std::vector<Sent> sent;
  std::vector<Event> events;

  std::uint64_t cycle() const { return cycle_; }

  /// On the register port in the cycle of the next step().
  void write(std::uint32_t address, std::uint32_t data) {
    REQUIRE_FALSE(dut_->reg_valid_i);
    dut_->reg_valid_i = dut_->reg_write_i = 1;
    dut_->reg_addr_i = static_cast<SData>(address);
    dut_->reg_wdata_i = data;
  }
  /// In the first of so many cycles.
  void store(std::uint32_t address, std::uint32_t data, unsigned cycles = 1) {
    write(address, data);
    steps(cycles);
  }
  /// The doorbell that starts a barrier of context c.
  void start(std::uint32_t c, unsigned cycles = 1) {
    store(regs::doorbell(c), regs::kContextsDoorbellStarts.mask(), cycles);
  }
  std::uint32_t read(std::uint32_t address) {
    REQUIRE_FALSE(dut_->reg_valid_i);
    dut_->reg_valid_i = 1;
    dut_->reg_write_i = 0;
    dut_->reg_addr_i = static_cast<SData>(address);
    dut_.settle();
    dut_->reg_valid_i = 0;
    return dut_->reg_rdata_o;
  }
  /// A list for context c; then the context, collective, barrier `seq`.
  void load(std::uint32_t c, const std::vector<std::uint32_t>& list, std::uint32_t group,
            std::uint32_t seq, bool direct = false) {
    for (std::uint32_t s = 0; s < list.size(); ++s) store(regs::entry(c, s), list[s]);
    store(regs::control(c), regs::control_word(group, seq, direct));
  }
  /// The flits of a message follow on the wires, from the next step() on.
  void send(const NicMessage& message) {
    for (const core::Flit& flit : nic::nic_flits(message, 0)) send(flit);
  }
  void send(const core::Flit& flit) { coming_.push_back(flit); }

  void step() {
    dut_->rx_valid_i = !coming_.empty();
    if (!coming_.empty()) {
      dut_->rx_kind_i = coming_.front().kind;
      dut_->rx_payload_i = static_cast<SData>(coming_.front().lo);
      coming_.pop_front();
    }
    dut_->tx_credit_i = owed_ != 0 && credits;
    owed_ -= dut_->tx_credit_i;
    dut_->event_ready_i = ready;
    dut_.settle();
    if (dut_->event_valid_o && ready) events.push_back({cycle_, dut_->event_o});
    if (dut_->tx_valid_o) {
      ++owed_;
      core::Flit flit;
      flit.kind = dut_->tx_kind_o;
      flit.lo = dut_->tx_payload_o;
      if (flit.head()) head_ = cycle_;
      leaving_.push_back(flit);
      if (flit.tail()) {
        const auto message = nic::nic_message(leaving_);
        REQUIRE(message);
        sent.push_back({head_, *message});
        leaving_.clear();
      }
    }
    dut_.edge();
    dut_->reg_valid_i = 0;
    ++cycle_;
  }
  void steps(unsigned count) {
    for (unsigned i = 0; i < count; ++i) step();
  }
  bool quiescent() {
    dut_.settle();
    return dut_->quiescent_o;
  }

 private:
  Clocked<Model> dut_;
  std::deque<core::Flit> coming_;
  std::vector<core::Flit> leaving_;
  std::uint64_t cycle_ = 0, head_ = 0;
  unsigned owed_ = 0;
};

using EngineBench = NicEngineBench<Vnic_seq2>;
using EventBench = NicEngineBench<Vnic_event2>;  ///< with an event unit

/// Entries of a list; `slot` of the peer's.
inline std::uint32_t send_to(std::uint32_t peer, std::uint32_t slot, std::uint32_t next) {
  return 1u << 31 | next << 24 | slot << 16 | peer;
}
inline std::uint32_t wait_for(std::uint32_t peer, std::uint32_t slot, std::uint32_t next) {
  return next << 24 | slot << 16 | peer;
}
inline std::uint32_t last(std::uint32_t entry) { return entry | 1u << 30; }

inline NicMessage to_node(NicType type, std::uint32_t source, std::uint8_t slot, std::uint8_t group,
                          std::uint8_t barrier, std::uint8_t packet = 0) {
  return {type, source, EngineBench::kNode, slot, group, barrier, packet};
}
inline NicMessage from_node(NicType type, std::uint32_t destination, std::uint8_t slot,
                            std::uint8_t group, std::uint8_t barrier, std::uint8_t packet = 0) {
  return {type, EngineBench::kNode, destination, slot, group, barrier, packet};
}

}  // namespace muster::test
