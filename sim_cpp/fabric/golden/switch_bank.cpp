// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/switch_bank.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace muster::golden {

using fabric::SwitchConfig;

GoldenSwitchBank::GoldenSwitchBank(std::uint32_t blocks, const SwitchConfig& config)
    : Bank(blocks, validate(config).ports),
      config_(config),
      queues_(blocks * InputQueues::storage(config)),
      routes_(std::size_t{blocks} * config.dests) {
  switches_.reserve(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    switches_.emplace_back(config_, &queues_[b * InputQueues::storage(config)],
                           &routes_[b * config.dests]);
  }
  quiescent_.assign(blocks, 1);
}

void GoldenSwitchBank::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  std::uint32_t block = 0;
  try {
    for (const std::uint32_t b : awake) {
      block = b;
      switches_[b].clock(wires_[b], &rx_[index(b, 0)], &tx_[index(b, 0)], host_at(b));
      update_quiescent(b);
    }
  } catch (const InternalError& error) {
    throw InternalError(
        fmt::format("cycle {}, switch {}: {} [{}]", cycle, block, error.what(), describe(block)));
  }
  // A write wins over what the messages of its cycle have done.
  for (const core::RegisterRequest& r : requests_)
    if (r.write) write_register(r.block, r.address, r.value);
  requests_.clear();
}

bool GoldenSwitchBank::host_at(std::uint32_t block) const {
  return std::any_of(requests_.begin(), requests_.end(),
                     [&](const core::RegisterRequest& r) { return r.block == block; });
}

void GoldenSwitchBank::update_quiescent(std::uint32_t block) {
  const core::BlockWires& wires = wires_[block];
  quiescent_[block] = wires.tx_valid == 0 && wires.rx_back == 0 && switches_[block].idle();
}

void GoldenSwitchBank::write_register(std::uint32_t block, std::uint32_t address,
                                      std::uint32_t value) {
  switches_[block].write_register(address, value);
  update_quiescent(block);
}

std::uint32_t GoldenSwitchBank::read_register(std::uint32_t block, std::uint32_t address) {
  return switches_[block].read_register(address);
}

std::string GoldenSwitchBank::describe(std::uint32_t block) const {
  return switches_[block].describe();
}

}  // namespace muster::golden
