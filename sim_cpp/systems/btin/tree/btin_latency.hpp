// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::btin {

/// Delays of BTIN section 5.1 in nanoseconds; the defaults are those of Figure 6.
struct BtinDelays {
  std::uint64_t startup_ns = 2000;  ///< t_s, software and DMA, once a phase
  std::uint64_t link_ns = 20;       ///< t_p, one link
  std::uint64_t router_ns = 300;    ///< t_r, one switch or network interface
};

/// Latency of one barrier by the paper's formula, both phases, without contention:
/// 2 (t_s + d t_p + (d + 1) t_r), with d = height + 2 links from the deepest node to the root node
/// and d + 1 = height + 1 switches and two network interfaces. With the defaults
/// 5880 + 640 height. The formula has no case for a group of one, which needs no message.
constexpr std::uint64_t btin_latency_ns(std::uint64_t height, const BtinDelays& delays = {}) {
  const std::uint64_t distance = height + 2;
  return 2 * (delays.startup_ns + distance * delays.link_ns + (distance + 1) * delays.router_ns);
}

}  // namespace muster::btin
