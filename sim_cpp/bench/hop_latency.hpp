// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/engine_registry.hpp"

namespace muster::bench {

/// Cycles from output register to output register of successive switches.
struct HopLatency {
  std::uint64_t barrier = 0, data = 0;
};

/// In an empty chain of switches (configuration sw4) with links of latency L: a barrier message on
/// its way to the root, then the head of a packet. The slowest hop counts.
HopLatency hop_latency(const fabric::BankFactory& engine, std::uint32_t latency);

}  // namespace muster::bench
