// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/profiles.hpp"

#include <cmath>

namespace muster::nic {

namespace {

// Cycles; from the printed latencies at N = 2 and 4 alone, see docs/systems/nic-figures.md.
constexpr std::uint32_t kXpBus = 442, kXpPass = 384, kElanPass = 107;

run::Profile nic_profile(const char* name, double clock_ns, std::uint32_t bus, std::uint32_t pass) {
  return {.name = name,
          .clock_ns = clock_ns,
          .send = bus,
          .receive = bus,
          .host = 0,
          .bus = bus,
          .interface_pass = pass};
}

run::Profile lanai_xp() { return nic_profile("lanai-xp", 1000.0 / 225.0, kXpBus, kXpPass); }

/// By the clocks of NIC and bus from lanai-xp: no smallest point is printed.
run::Profile lanai9() {
  constexpr double kNic = 1000.0 / 133.0, kXp = 1000.0 / 225.0;
  constexpr double kBusRatio = 2.0;  // 66 and 133 MHz
  const auto bus = static_cast<std::uint32_t>(std::lround(kXpBus * kXp * kBusRatio / kNic));
  return nic_profile("lanai9", kNic, bus, kXpPass);
}

run::Profile elan3() { return nic_profile("elan3", 10.0, 0, kElanPass); }

}  // namespace

std::vector<run::Profile> paper_profiles() { return {lanai9(), lanai_xp(), elan3()}; }

}  // namespace muster::nic
