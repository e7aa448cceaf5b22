// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "fabric/golden/data_path.hpp"
#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/lanes.hpp"
#include "fabric/golden/port_counters.hpp"
#include "fabric/golden/switch_registers.hpp"
#include "muster/core/bank.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::golden {

/// What has come of worms by one input port and has not gone by all outputs yet.
class WormBuffer {
 public:
  static constexpr std::size_t kEntries = 66;  ///< 64 addresses and the payload

  struct Entry {
    core::Flit flit;
    std::uint16_t outputs;
  };
  explicit WormBuffer(std::uint32_t ports) : ports_(ports) {}

  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.size() == kEntries; }
  /// Takes a flit; `route` is the mask of an address flit's output. Returns false for an address
  /// without a route.
  bool push(core::Flit flit, std::uint16_t route);
  /// The entry at the cursor of an output if it goes there, else null.
  const Entry* at(std::uint32_t output) const;
  /// True if the worm at the cursor of an output may begin there: the rest of it is in the buffer,
  /// or it is the oldest. REQUIRES: at(output).
  bool may_begin(std::uint32_t output) const;
  /// The cursors of `sent` and those that stand at an entry of others move on; then entries that
  /// all have passed leave. On the state at the beginning of a cycle, before push().
  void advance(std::uint16_t sent);
  /// True for an address flit of the worm that is coming in.
  bool is_address(const core::Flit& flit) const;

 private:
  std::uint32_t ports_;
  std::deque<Entry> entries_;
  std::array<std::uint8_t, kMaxPorts> cursor_{};  // entries before it, by output
  bool open_ = false;                             // a worm is coming in
  bool addresses_ = false;                        // of it: no payload yet
  std::uint16_t opened_ = 0;                      // by the worm coming in
};

/// One multicast switch as docs/systems/baselines.md describes it. Its queues and its
/// routing table lie in storage of the bank.
class MulticastSwitch {
 public:
  static constexpr bool kAddressed = false;

  /// `queues`: FlitRings::storage(config) flits. All three outlive it.
  MulticastSwitch(const fabric::SwitchConfig& config, core::Flit* queues, RouteTable& routes);

  /// A cycle, as BarrierSwitch::clock().
  void clock(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx);
  bool idle() const;
  bool irq() const { return counters_ && counters_->irq(false); }
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;
  std::string describe() const;

 private:
  static constexpr std::uint8_t kFree = 0xff;
  std::uint32_t worm_lane(std::uint32_t port) const { return lane_of(port, config_.vcs - 1); }
  std::uint32_t candidate(std::uint32_t output) const;
  /// Returns the input ports of which headless flits were dropped.
  std::uint32_t take_worms(std::uint64_t lanes);
  /// Output ports for which data of these lanes or worms wait.
  std::uint32_t wanted(std::uint64_t lanes) const;

  fabric::SwitchConfig config_;
  SwitchRegisters registers_;
  InputQueues queues_;
  DataPath data_;
  Credits credits_;
  std::uint64_t worm_lanes_ = 0;
  std::vector<WormBuffer> buffers_;                // by input port
  std::array<std::uint8_t, kMaxPorts> owner_;      // of an output's worm channel: an input port
  std::array<std::uint8_t, kMaxPorts> pointer_{};  // of an output
  std::uint32_t unroutable_ = 0;                   // address flits
  std::uint32_t headless_ = 0;                     // flits of worm channels
  std::uint32_t unrouted_ = 0;  // ports of those taken in this cycle, not counted yet
  std::unique_ptr<PortCounters> counters_;
};

}  // namespace muster::golden
