// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "muster/core/bank.hpp"

namespace muster::test {

/// Two-port blocks that send what arrives on one port out of the other in the next cycle, with
/// `lo` one lower, until it is 0; a credit goes back for every flit. It starts by itself what is in
/// `starts`: in cycle c a flit of that many hops leaves port 1.
class EchoBank : public core::Bank {
 public:
  explicit EchoBank(std::uint32_t blocks) : Bank(blocks, 2), credits(blocks, 0) {}

  std::multimap<std::uint64_t, std::pair<std::uint32_t, std::uint64_t>> starts;
  std::vector<std::uint32_t> credits;                          ///< received, by block
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ended;  ///< cycle and `hi` of flits at 0

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    woken_.clear();
    for (const std::uint32_t b : awake) {
      core::BlockWires& w = wires(b);
      w.tx_valid = 0;
      w.rx_back = 0;
      credits[b] += static_cast<std::uint32_t>(std::popcount(w.tx_back));
      for (std::uint32_t p = 0; p < 2; ++p) {
        if (!(w.rx_valid >> p & 1)) continue;
        w.rx_back |= std::uint64_t{1} << (4 * p + rx(b, p).vc);
        if (rx(b, p).lo == 0) {
          ended.emplace_back(cycle, rx(b, p).hi);
          continue;
        }
        tx(b, 1 - p) = rx(b, p);
        --tx(b, 1 - p).lo;
        w.tx_valid |= 2u >> p;
      }
      w.rx_valid = 0;
      w.tx_back = 0;
      quiescent_[b] = w.tx_valid == 0 && w.rx_back == 0;
    }
    for (auto [at, end] = starts.equal_range(cycle); at != end; ++at) {
      const auto [block, hops] = at->second;
      tx(block, 1) = {.lo = hops, .hi = static_cast<std::uint16_t>(block)};
      wires(block).tx_valid |= 2;
      quiescent_[block] = 0;
      woken_.push_back(block);
    }
  }
  std::span<const std::uint32_t> woken() const override { return woken_; }
  void write_register(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  std::uint32_t read_register(std::uint32_t, std::uint32_t) override { return 0; }
  std::string describe(std::uint32_t) const override { return "echo"; }

 private:
  std::vector<std::uint32_t> woken_;
};

}  // namespace muster::test
