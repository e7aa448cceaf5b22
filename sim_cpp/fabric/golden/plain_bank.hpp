// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bank.hpp"
#include "core/error.hpp"
#include "fabric/golden/input_queues.hpp"
#include "fabric/switch_config.hpp"

namespace muster::golden {

/// Switches of one kind and configuration that do not care whether the host is at their register
/// port, which is all but the barrier switches (fabric/golden/switch_bank.hpp).
template <class Switch>
class PlainBank : public core::Bank {
 public:
  /// All switches as after reset, their routing tables empty. Throws InputError if `config` is out
  /// of range.
  PlainBank(std::uint32_t blocks, const fabric::SwitchConfig& config)
      : Bank(blocks, validate(config).ports),
        kind_(info(config.kind).name),
        queues_(blocks * InputQueues::storage(config)),
        routes_(std::size_t{blocks} * config.dests) {
    switches_.reserve(blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
      switches_.emplace_back(config, &queues_[b * InputQueues::storage(config)],
                             &routes_[b * config.dests]);
    }
    quiescent_.assign(blocks, 1);
  }

  /// Throws InternalError, naming cycle, switch and state, if a flit comes for a full queue or a
  /// credit that nobody spent.
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      try {
        switches_[b].clock(wires_[b], &rx_[index(b, 0)], &tx_[index(b, 0)]);
      } catch (const InternalError& error) {
        throw InternalError(fmt::format("cycle {}, {} switch {}: {} [{}]", cycle, kind_, b,
                                        error.what(), describe(b)));
      }
      update_quiescent(b);
    }
    // A write wins over what the messages of its cycle have done.
    for (const core::RegisterRequest& r : requests_)
      if (r.write) write_register(r.block, r.address, r.value);
    requests_.clear();
  }
  void request(const core::RegisterRequest& request) override { requests_.push_back(request); }
  /// Takes effect at once. A block that is quiescent may be no longer so.
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    switches_[block].write_register(address, value);
    update_quiescent(block);
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return switches_[block].read_register(address);
  }
  std::string describe(std::uint32_t block) const override { return switches_[block].describe(); }

 private:
  void update_quiescent(std::uint32_t block) {
    const core::BlockWires& wires = wires_[block];
    quiescent_[block] = wires.tx_valid == 0 && wires.rx_back == 0 && switches_[block].idle();
  }

  std::string_view kind_;
  std::vector<core::Flit> queues_;     // of all switches
  std::vector<std::uint16_t> routes_;  // of all switches
  std::vector<Switch> switches_;
  std::vector<core::RegisterRequest> requests_;
};

}  // namespace muster::golden
