// SPDX-License-Identifier: Apache-2.0
#include "golden/multicast_bank.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace muster::golden {
namespace {

const network::SwitchConfig& validated_multicast(const network::SwitchConfig& config) {
  validate(config);
  return config;
}

}  // namespace

GoldenMulticastBank::GoldenMulticastBank(std::uint32_t blocks, const network::SwitchConfig& config)
    : Bank(blocks, validated_multicast(config).ports),
      queues_(blocks * InputQueues::storage(config)),
      routes_(std::size_t{blocks} * config.dests) {
  switches_.reserve(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    switches_.emplace_back(config, &queues_[b * InputQueues::storage(config)],
                           &routes_[b * config.dests]);
  }
  quiescent_.assign(blocks, 1);
}

void GoldenMulticastBank::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t b : awake) {
    try {
      switches_[b].clock(wires_[b], &rx_[index(b, 0)], &tx_[index(b, 0)]);
    } catch (const InternalError& error) {
      throw InternalError(fmt::format("cycle {}, multicast switch {}: {} [{}]", cycle, b,
                                      error.what(), describe(b)));
    }
    quiescent_[b] = wires_[b].tx_valid == 0 && wires_[b].rx_back == 0 && switches_[b].idle();
  }
}

}  // namespace muster::golden
