// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "muster/fabric/network.hpp"

namespace muster::run {

/// Tells when no packet is left in a network whose nodes start none, while barrier messages go on.
/// It knows what a host can: whether a flit of a packet is on a link, and `quiescent_o` of the
/// switches. Once no such flit has been on any link for as long as one takes through the longest,
/// and from then on each switch has been quiescent once, its queues were empty and its access unit
/// had nothing to answer; and nothing can have come since.
class DrainWatch : public core::Observer {
 public:
  /// `pipe`: cycles of the delay pipe in every channel.
  DrainWatch(fabric::Network& network, std::uint64_t pipe) : network_(network) {
    std::uint64_t longest = 1;
    for (const fabric::Channel& c : network.layout().channels())
      longest = std::max<std::uint64_t>(longest, c.latency);
    delay_ = longest + pipe + 1;
  }
  /// From this cycle on no node starts a packet.
  void begin(std::uint64_t cycle) {
    moved_ = cycle;
    seen_quiet_ = false;
  }
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    const bool packet =
        std::any_of(flits.begin(), flits.end(), [](const auto& e) { return !e.flit.sync(); });
    if (packet) begin(cycle);
  }
  /// Between two cycles.
  bool empty(std::uint64_t cycle) {
    if (cycle <= moved_ + delay_) return false;
    if (!seen_quiet_) {
      seen_quiet_ = true;
      to_come_ = network_.graph().switches();
      quiet_.assign(to_come_, 0);
    }
    for (std::uint32_t s = 0; s < quiet_.size() && to_come_ != 0; ++s) {
      const bool quiet = network_.switches().quiescent(s) || !network_.switch_alive(s);
      if (quiet_[s] != 0 || !quiet) continue;
      quiet_[s] = 1;
      --to_come_;
    }
    return to_come_ == 0 && network_.between_packets();
  }

 private:
  fabric::Network& network_;
  std::uint64_t delay_ = 0, moved_ = 0;  ///< over the longest link; last flit of a packet
  bool seen_quiet_ = false;              ///< quiet_ and to_come_ are of what came after moved_
  std::vector<std::uint8_t> quiet_;
  std::uint32_t to_come_ = 0;
};

}  // namespace muster::run
