// SPDX-License-Identifier: Apache-2.0
#include "golden/preempt_bank.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace muster::golden {
namespace {

const network::SwitchConfig& validated_preempt(const network::SwitchConfig& config) {
  validate(config);
  return config;
}

}  // namespace

GoldenPreemptBank::GoldenPreemptBank(std::uint32_t blocks, const network::SwitchConfig& config)
    : Bank(blocks, validated_preempt(config).ports),
      queues_(blocks * InputQueues::storage(config)),
      routes_(std::size_t{blocks} * config.dests) {
  switches_.reserve(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    switches_.emplace_back(config, &queues_[b * InputQueues::storage(config)],
                           &routes_[b * config.dests]);
  }
  quiescent_.assign(blocks, 1);
}

void GoldenPreemptBank::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t b : awake) {
    try {
      switches_[b].clock(wires_[b], &rx_[index(b, 0)], &tx_[index(b, 0)]);
    } catch (const InternalError& error) {
      throw InternalError(fmt::format("cycle {}, preempting switch {}: {} [{}]", cycle, b,
                                      error.what(), describe(b)));
    }
    update_quiescent(b);
  }
}

void GoldenPreemptBank::write_register(std::uint32_t block, std::uint32_t address,
                                       std::uint32_t value) {
  switches_[block].write_register(address, value);
  update_quiescent(block);
}

void GoldenPreemptBank::update_quiescent(std::uint32_t block) {
  const network::BlockWires& wires = wires_[block];
  quiescent_[block] = wires.tx_valid == 0 && wires.rx_back == 0 && switches_[block].idle();
}

}  // namespace muster::golden
