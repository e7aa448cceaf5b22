// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/divisible.hpp"
#include "muster/core/error.hpp"

namespace muster::test {

/// Two-port blocks that send what arrives at port 0 out of port 1 in the next cycle, with `lo` one
/// lower until it is 0, and a credit back. A request to register 0 starts a flit of that many hops,
/// a write asks for the host.
class PassingBank : public core::Bank, public core::Divisible {
 public:
  explicit PassingBank(std::uint32_t blocks, std::vector<std::uint32_t> failing = {})
      : Bank(blocks, 2), failing_(std::move(failing)), values_(blocks, 0), hops_(blocks, 0) {
    quiescent_.assign(blocks, 1);
  }

  std::vector<std::uint32_t> order;  ///< blocks as they were clocked

  core::Divisible* divisible() override { return this; }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
  }
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      order.push_back(b);
      if (std::find(failing_.begin(), failing_.end(), b) != failing_.end())
        throw BlockError("block " + std::to_string(b) + " fails", cycle, "sw" + std::to_string(b));
      core::BlockWires& w = wires(b);
      w.rx_back = w.rx_valid & 1;
      w.tx_valid = 0;
      if (w.rx_valid != 0 && rx(b, 0).lo != 0) send(b, rx(b, 0).lo - 1);
      if (hops_[b] != 0) send(b, std::exchange(hops_[b], 0));
      w.rx_valid = 0;
      w.tx_back = 0;
      quiescent_[b] = w.tx_valid == 0 && w.rx_back == 0;
      ++values_[b];
    }
  }
  void request(const core::RegisterRequest& request) override {
    hops_[request.block] = request.value;
  }
  void write_register(std::uint32_t b, std::uint32_t, std::uint32_t value) override {
    values_[b] = value;
    irq_[b] = value != 0;
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    if (address != 0) throw InternalError("no such register");
    ++compared_;
    return values_[b];
  }
  std::string describe(std::uint32_t b) const override {
    return "block " + std::to_string(b) + " has " + std::to_string(values_[b]);
  }
  void reset(std::uint32_t b) override {
    wires(b) = {};
    quiescent_[b] = 1;
    irq_[b] = 0;
    values_[b] = 0;
  }
  std::uint64_t comparisons() const override { return order.size() + compared_; }

 private:
  void send(std::uint32_t b, std::uint64_t hops) {
    tx(b, 1) = {.lo = hops, .hi = static_cast<std::uint16_t>(b)};
    wires(b).tx_valid = 2;
  }
  std::vector<std::uint32_t> failing_, values_, hops_;
  std::uint64_t compared_ = 0;
};

}  // namespace muster::test
