// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "systems/esc/blocks/box_packet.hpp"

namespace muster::esc {

/// Parameters of rtl/esc/interchange_box.sv, or of combining_box.sv; PacketW is 64.
struct BoxConfig {
  std::uint32_t size = 4;    ///< n: 2, 4, 8
  std::uint32_t depth = 12;  ///< S: 1..64
  /// Synchronization messages are merged, docs/systems/esc-references.md.
  bool combining = false;
  friend bool operator==(const BoxConfig&, const BoxConfig&) = default;
};

/// All interchange boxes of a network, in one contiguous array: the contract of golden, RTL and
/// lockstep. Port p of box b is at [b * size + p]. docs/systems/interchange-box.md says what a box
/// does; a cycle is
///
///   carry    the network copies tx of every box to the rx of the box (or PE) behind it,
///   settle   the bank writes rx_ready from rx and its registers,
///   carry    the network copies rx_ready to the tx_ready of the box before,
///   clock    the rising edge: the bank writes tx.
///
/// All inputs are written anew by the network in every cycle. A bank may pass over boxes that are
/// quiescent and have no packet at an input. An error inside (lockstep difference, assertion)
/// throws InternalError that names cycle, box and port.
class BoxBank {
 public:
  /// `stages[b]` is the stage in which box b stands: the digit of a packet at which it looks.
  BoxBank(const BoxConfig& config, std::vector<std::uint8_t> stages)
      : config_(config),
        digit_bits_(static_cast<unsigned>(std::countr_zero(config.size))),
        stages_(std::move(stages)),
        rx_(stages_.size() * config.size),
        tx_(rx_.size()),
        rx_ready_(rx_.size()),
        tx_ready_(rx_.size()) {}
  virtual ~BoxBank() = default;
  BoxBank(const BoxBank&) = delete;
  BoxBank& operator=(const BoxBank&) = delete;

  const BoxConfig& config() const { return config_; }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(stages_.size()); }

  std::span<BoxPacket> rx() { return rx_; }  ///< in: offered packets, 0 for none
  std::span<const BoxPacket> rx() const { return rx_; }
  std::span<const BoxPacket> tx() const { return tx_; }  ///< out, registered; 0 for none
  std::span<const std::uint8_t> rx_ready() const { return rx_ready_; }  ///< out, settled: 0, 1
  std::span<std::uint8_t> tx_ready() { return tx_ready_; }  ///< in: 0, 1; nothing without a packet
  std::span<const std::uint8_t> tx_ready() const { return tx_ready_; }

  /// Reset, with the seed of each box's LFSR. All outputs are idle after it.
  void reset(std::span<const std::uint16_t> seeds) {
    std::fill(rx_.begin(), rx_.end(), 0);
    std::fill(tx_.begin(), tx_.end(), 0);
    std::fill(rx_ready_.begin(), rx_ready_.end(), 0);
    std::fill(tx_ready_.begin(), tx_ready_.end(), 0);
    reset_blocks(seeds);
  }
  virtual void settle() = 0;
  virtual void clock(std::uint64_t cycle) = 0;
  /// After clock(): all output buffers of the box are empty.
  virtual bool quiescent(std::uint32_t block) const = 0;

  /// Outputs compared with a reference so far; 0 for a bank that has none.
  virtual std::uint64_t comparisons() const { return 0; }
  /// The state of a box as text, for reports.
  virtual std::string describe(std::uint32_t block) const = 0;

 protected:
  virtual void reset_blocks(std::span<const std::uint16_t> seeds) = 0;

  /// The output that a packet asks for in box `block`.
  std::uint32_t digit(std::uint32_t block, BoxPacket packet) const {
    return (packet >> (stages_[block] * digit_bits_)) & (config_.size - 1);
  }
  bool broadcast(std::uint32_t block, BoxPacket packet) const {
    return broadcast_in(packet, stages_[block]);
  }

  const BoxConfig config_;
  const unsigned digit_bits_;
  const std::vector<std::uint8_t> stages_;
  std::vector<BoxPacket> rx_, tx_;
  std::vector<std::uint8_t> rx_ready_, tx_ready_;
};

}  // namespace muster::esc
