// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"

namespace muster::run {

/// How much every channel carries, counted in windows of so many cycles.
class LinkUse {
 public:
  static constexpr std::uint32_t kWindow = 8;  ///< cycles
  /// What is counted in a cycle.
  enum class Count : std::uint8_t {
    kFlits,  ///< a flit, of whatever
    kWaits,  ///< no flit, though a packet has begun and not ended: it waits here or further back
    kPads,   ///< a pad
    /// At the end of a window: flits of packets whose credits have not come back. They are on the
    /// link, or in the queue behind it, or their credits are on the way. Not where barrier messages
    /// take credits of data.
    kQueued
  };
  static constexpr unsigned kCounts = 4;

  LinkUse() = default;
  /// `credits`: bits of those of data, a bit a virtual channel.
  LinkUse(core::ChannelId channels, std::uint8_t credits)
      : channels_(channels),
        credits_(credits),
        open_(channels, 0),
        last_(channels, kNever),
        queued_(channels, 0) {}

  /// All that is on the wires in a cycle; cycles one after the other. Channels beyond those there
  /// are count for nothing. `counted`: else it only says what has begun.
  void add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
           std::span<const core::CreditEvent> credits, bool counted);

  /// Windows since the first cycle that counted.
  std::size_t windows() const { return counts_[0].size(); }
  /// Cycles with `what` on a channel in a window.
  std::uint32_t count(Count what, std::size_t window, core::ChannelId channel) const {
    return counts_[static_cast<unsigned>(what)][window][channel];
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  void count_one(Count what, core::ChannelId channel) {
    ++counts_[static_cast<unsigned>(what)].back()[channel];
  }

  core::ChannelId channels_ = 0;
  std::uint8_t credits_ = 0;
  std::vector<std::uint8_t> open_;    ///< by channel, a bit for each virtual channel
  std::vector<std::uint64_t> last_;   ///< by channel: cycle of the last flit
  std::vector<std::uint8_t> queued_;  ///< by channel: see Count::kQueued
  std::uint64_t counted_ = 0;         ///< cycles
  std::vector<std::vector<std::uint8_t>> counts_[kCounts];  ///< by window and channel
};

}  // namespace muster::run
