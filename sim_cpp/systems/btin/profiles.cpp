// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/profiles.hpp"

#include "systems/btin/tree/btin_latency.hpp"

namespace muster::btin {

std::vector<run::Profile> paper_profiles() {
  constexpr std::uint32_t kClockNs = 10;
  constexpr std::uint32_t kHop = 2;  // of a barrier message, cycles
  const BtinDelays delays;
  const auto cycles = [](std::uint64_t ns) { return static_cast<std::uint32_t>(ns / kClockNs); };
  const std::uint32_t hop = cycles(delays.link_ns + delays.router_ns);
  const run::Profile free{.name = "btin",
                          .clock_ns = kClockNs,
                          .pipe = hop - kHop,
                          .send = cycles(delays.startup_ns + delays.router_ns) - 1,
                          .receive = kHop};
  run::Profile occupied = free;
  occupied.name = "btin-occupied";
  occupied.occupancy = hop;
  return {free, occupied};
}

}  // namespace muster::btin
