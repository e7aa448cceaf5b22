// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "network/layout.hpp"
#include "network/observer.hpp"

namespace muster::experiment {

/// Counts the messages that nodes start, barrier messages and packets, seen on the channels from
/// the nodes.
class StartupCounter : public network::Observer {
 public:
  explicit StartupCounter(const topology::Graph& graph)
      : first_(network::Layout(graph).into_switch(0)),
        nodes_(graph.nodes()),
        started_(graph.nodes(), 0),
        flits_(graph.nodes(), 0) {}

  void observe(std::uint64_t, std::span<const network::FlitEvent> flits,
               std::span<const network::CreditEvent>) override {
    for (const network::FlitEvent& event : flits) {
      const std::uint32_t place = event.channel - first_;
      if (event.channel < first_ || place >= 2 * nodes_ || place % 2 != 0) continue;
      const bool alone = event.flit.sync();
      std::uint32_t& count = flits_[place / 2];
      if (alone || event.flit.head()) ++started_[place / 2];
      count = alone || event.flit.head() ? 1 : count + 1;
      longest_ = std::max(longest_, count);
    }
  }
  std::uint64_t started() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t s : started_) sum += s;
    return sum;
  }
  std::uint32_t most() const { return *std::max_element(started_.begin(), started_.end()); }
  std::uint32_t longest() const { return longest_; }  ///< flits

 private:
  network::ChannelId first_;
  std::uint32_t nodes_, longest_ = 0;
  std::vector<std::uint32_t> started_, flits_;  ///< by node
};

}  // namespace muster::experiment
