// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/layout.hpp"

namespace muster::btin {

/// A message that a node starts, seen on the channel from the node.
struct Startup {
  std::uint64_t cycle = 0;
  std::uint32_t node = 0;
  bool request = false;  ///< to the registers of a switch
};

/// Counts the messages that nodes start, barrier messages and packets.
class StartupCounter : public core::Observer {
 public:
  explicit StartupCounter(const topology::Graph& graph)
      : first_(fabric::Layout(graph).into_switch(0)),
        nodes_(graph.nodes()),
        by_node_(graph.nodes(), 0),
        flits_(graph.nodes(), 0) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& event : flits) {
      const std::uint32_t place = event.channel - first_;
      if (event.channel < first_ || place >= 2 * nodes_ || place % 2 != 0) continue;
      const bool alone = event.flit.sync();
      std::uint32_t& count = flits_[place / 2];
      if (alone || event.flit.head()) {
        ++by_node_[place / 2];
        startups_.push_back(
            {cycle, place / 2,
             !alone && fabric::Formats::opcode(event.flit) == fabric::kOpcodeRequest});
      }
      count = alone || event.flit.head() ? 1 : count + 1;
      longest_ = std::max(longest_, count);
    }
  }
  const std::vector<Startup>& startups() const { return startups_; }  ///< in order of time
  std::uint32_t most() const { return *std::max_element(by_node_.begin(), by_node_.end()); }
  std::uint32_t longest() const { return longest_; }  ///< flits

 private:
  core::ChannelId first_;
  std::uint32_t nodes_, longest_ = 0;
  std::vector<Startup> startups_;
  std::vector<std::uint32_t> by_node_, flits_;  ///< by node
};

}  // namespace muster::btin
