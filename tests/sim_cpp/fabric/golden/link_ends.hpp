// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "fabric/golden/link_bank.hpp"
#include "fabric/link_registers.hpp"

namespace muster::test {

/// Two golden ends on wires of a latency, and in which cycles something is on their outputs.
class LinkEnds {
 public:
  LinkEnds(const fabric::LinkConfig& config, std::uint32_t latency)
      : latency_(latency),
        ends_{golden::GoldenLinkBank(config, 1), golden::GoldenLinkBank(config, 1)} {
    for (auto& pipe : wires_) pipe.resize(latency - 1);
  }

  std::uint64_t cycle() const { return cycle_; }
  std::uint32_t status(unsigned side) {
    return ends_[side].read_register(0, fabric::link_registers::kStatus);
  }
  fabric::link_registers::LinkState state(unsigned side) {
    return fabric::link_registers::state(status(side));
  }
  std::uint32_t lost(unsigned side) { return fabric::link_registers::kStatusLost.of(status(side)); }
  void write(unsigned side, std::uint32_t value) {
    ends_[side].request(
        {.write = true, .address = fabric::link_registers::kStatus, .value = value});
  }
  /// In this cycle.
  void flit(unsigned side, const core::Flit& flit) {
    ends_[side].rx(0, fabric::LinkBank::kBlockPort) = flit;
    ends_[side].wires(0).rx_valid |= 1u << fabric::LinkBank::kBlockPort;
  }
  void credit(unsigned side, unsigned classes) { ends_[side].wires(0).tx_back = classes; }
  bool lose = false;  ///< what is on the wires in this cycle

  void step() {
    constexpr std::uint32_t kAll[] = {0};
    for (unsigned i = 0; i < 2; ++i) {
      const core::BlockWires& w = ends_[i].wires(0);
      std::optional<core::Flit> frame;
      if (w.tx_valid >> fabric::LinkBank::kWirePort & 1) {
        frames[i].push_back(cycle_);
        if (!lose) frame = ends_[i].tx(0, fabric::LinkBank::kWirePort);
      }
      if (w.tx_valid >> fabric::LinkBank::kBlockPort & 1) {
        flits[i].push_back(cycle_);
        payloads[i].push_back(ends_[i].tx(0, fabric::LinkBank::kBlockPort).lo);
      }
      if (w.rx_back != 0) credits[i].push_back(cycle_);
      wires_[i].push_back(frame);
    }
    for (unsigned i = 0; i < 2; ++i) {
      auto& pipe = wires_[1 - i];
      if (pipe.front()) {
        ends_[i].rx(0, fabric::LinkBank::kWirePort) = *pipe.front();
        ends_[i].wires(0).rx_valid |= 1u << fabric::LinkBank::kWirePort;
      }
      pipe.pop_front();
    }
    for (golden::GoldenLinkBank& end : ends_) end.clock(cycle_, kAll);
    ++cycle_;
  }
  void to(std::uint64_t cycle) {
    while (cycle_ < cycle) step();
  }
  void up() {
    while (state(0) != fabric::link_registers::LinkState::kUp ||
           state(1) != fabric::link_registers::LinkState::kUp)
      step();
    to(cycle_ + 3 * latency_ + 10);
    for (unsigned i = 0; i < 2; ++i) {
      frames[i].clear();
      REQUIRE(ends_[i].quiescent(0));
    }
  }

  std::array<std::vector<std::uint64_t>, 2> frames, flits, credits, payloads;

 private:
  std::uint32_t latency_;
  std::array<golden::GoldenLinkBank, 2> ends_;
  std::array<std::deque<std::optional<core::Flit>>, 2> wires_;
  std::uint64_t cycle_ = 0;
};

}  // namespace muster::test
