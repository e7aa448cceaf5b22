// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "network/network.hpp"

namespace muster::workload {

/// Tells when no packet is left in a network whose nodes start none, while barrier messages go on.
/// It knows what a host can: whether a flit of a packet is on a link, and `quiescent_o` of the
/// switches. Once no such flit has been on any link for as long as one takes through the longest,
/// and from then on each switch has been quiescent once, its queues were empty and its agent had
/// nothing to answer; and nothing can have come since.
class DrainWatch : public network::Observer {
 public:
  explicit DrainWatch(network::Network& network) : network_(network) {
    for (const network::Channel& c : network.layout().channels())
      longest_ = std::max<std::uint64_t>(longest_, c.latency);
  }
  /// `pipe`: cycles of the delay pipe in every channel.
  void begin(std::uint64_t cycle, std::uint64_t pipe) {
    moved_ = cycle;
    delay_ = longest_ + pipe + 1;
    quiet_.assign(network_.graph().switches(), 0);
    to_come_ = network_.graph().switches();
  }
  void observe(std::uint64_t cycle, std::span<const network::FlitEvent> flits,
               std::span<const network::CreditEvent> /*credits*/) override {
    const bool packet =
        std::any_of(flits.begin(), flits.end(), [](const auto& e) { return !e.flit.sync(); });
    if (packet) begin(cycle, delay_ - longest_ - 1);
  }
  /// Between two cycles.
  bool empty(std::uint64_t cycle) {
    if (cycle <= moved_ + delay_) return false;
    for (std::uint32_t s = 0; s < quiet_.size() && to_come_ != 0; ++s) {
      if (quiet_[s] != 0 || !network_.switches().quiescent(s)) continue;
      quiet_[s] = 1;
      --to_come_;
    }
    return to_come_ == 0 && network_.endpoints().between_packets();
  }

 private:
  network::Network& network_;
  std::uint64_t longest_ = 1, delay_ = 2, moved_ = 0;
  std::vector<std::uint8_t> quiet_;
  std::uint32_t to_come_ = 0;
};

}  // namespace muster::workload
