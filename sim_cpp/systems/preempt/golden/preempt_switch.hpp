// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/golden/block_random.hpp"
#include "fabric/golden/data_path.hpp"
#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/lanes.hpp"
#include "fabric/golden/switch_registers.hpp"
#include "muster/core/bank.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/preempt/golden/bsr_buffers.hpp"
#include "systems/preempt/golden/preempt_output.hpp"

namespace muster::golden {

/// One preempting switch as docs/systems/preempting-switches.md describes it. Its queues and its
/// routing table lie in storage of the bank.
class PreemptSwitch {
 public:
  static constexpr bool kAddressed = false;

  /// `queues`: FlitRings::storage(config) flits. All three outlive it.
  PreemptSwitch(const fabric::SwitchConfig& config, core::Flit* queues, RouteTable& routes);

  /// A cycle, as BarrierSwitch::clock(). Bit `vcs` of a port's nibble is the credit of the barrier
  /// buffer.
  void clock(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx);
  bool idle() const;
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;
  std::string describe() const;

 private:
  using Steered = CrossbarOne::Steered;
  struct Outputs {
    std::array<PreemptOutput::View, kMaxPorts> view;
    std::array<PreemptOutput::Act, kMaxPorts> act;
    std::array<std::uint32_t, kMaxPorts> asking{};  // buffers
    std::uint64_t usable = 0, closed = 0;           // lanes
    std::uint16_t goes = 0;                         // ports
    std::uint64_t spent = 0;                        // lanes
  };
  std::uint64_t generating() const;
  /// Pads of other switches count as data.
  Heads heads_of_queues() const;
  Steered steer(const Heads& heads, std::uint32_t rx_valid, const core::Flit* rx) const;
  Outputs decide_outputs() const;
  PreemptOutput::View view_of(std::uint32_t port, std::uint64_t credited) const;
  std::uint32_t served() const;
  void ask(Outputs& outputs) const;
  void drive_outputs(const Outputs& outputs, std::uint16_t traversing, core::Flit* tx) const;
  /// A pad stands in its queue until the data path has had its chance; it pays no credit back, for
  /// none was spent.
  DataPath::Moved move_data(const Heads& heads, std::uint64_t pads, const Outputs& outputs);
  // The edge. Each returns the ports whose barrier buffer has become free, or nothing.
  std::uint32_t receive(const Steered& steered);
  std::uint32_t take_message(const BsrBuffers::Choice& choice);
  std::uint32_t cut_and_hand_back(const Outputs& outputs, std::uint64_t allocated,
                                  std::uint64_t returned);
  void count(std::uint32_t port, std::uint32_t field);
  std::uint32_t read_entry(const BsrEntry& entry, std::uint32_t word) const;
  /// Bits of an address, and of a number of members.
  std::uint32_t names() const;
  std::optional<std::uint32_t> entry_at(std::uint32_t address) const;
  void write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value);

  fabric::SwitchConfig config_;
  PreemptKind kind_;
  std::uint64_t message_bits_;  // of a flit of a message: 16, and those of wide addresses
  SwitchRegisters registers_;
  std::uint64_t data_lanes_ = 0;
  CrossbarOne crossbar_one_;
  InputQueues queues_;
  DataPath data_;
  Credits credits_;
  BsrBuffers buffers_;
  std::vector<PreemptOutput> outputs_;
  BlockRandom random_;
  PreemptTimes times_;
  bool draws_ = false, unpadded_ = false;
  std::uint32_t unroutable_ = 0;
  std::array<std::array<std::uint8_t, 4>, kMaxPorts> drops_{};
};

}  // namespace muster::golden
