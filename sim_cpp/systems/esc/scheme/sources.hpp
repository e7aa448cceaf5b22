// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/esc/blocks/box_packet.hpp"
#include "systems/esc/scheme/background.hpp"
#include "systems/esc/scheme/session_plan.hpp"

namespace muster::esc {

/// The infinite FIFO queues in front of the network, one for each PE. A queue is not stored: it is
/// the cycle up to which its reader has come in the streams of its PE, and the packet at its head.
class Sources {
 public:
  explicit Sources(const Background& background, std::uint32_t pes);

  void start(const SessionPlan& plan);
  /// The coordinator generates a release packet in cycle `cycle`, at the earliest the next one.
  void release(std::uint32_t pe, std::uint64_t cycle, BoxPacket packet);

  /// In cycle `cycle`: brings a packet to the head of every queue that holds one. Then heads() are
  /// the offers of that cycle, tags being destinations; 0 for an empty queue.
  void advance(std::uint64_t cycle);
  std::span<const BoxPacket> heads() const { return heads_; }
  /// The heads of the PEs with a 1 leave.
  void take(std::span<const std::uint8_t> taken);

  /// False if no queue holds a message, other than a release, that was generated in cycle `last` or
  /// before. While a stream has not been read that far it may.
  bool may_hold(std::uint64_t last) const;

 private:
  void fill(std::uint32_t pe, std::uint64_t cycle);

  const Background& background_;
  std::vector<BoxPacket> heads_;
  std::vector<std::uint64_t> next_;  ///< first cycle whose background has not been read
  std::vector<std::uint64_t> own_;   ///< cycle of the next own message, kNever for none
  std::vector<std::uint32_t> hot_;   ///< where it goes
  std::vector<BoxPacket> sent_;      ///< a release packet that waits, else 0
};

}  // namespace muster::esc
