// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/profiles.hpp"

#include <cmath>

namespace muster::nic {

namespace {

// Cycles; from the fitted equations at N = 2 and 4, see docs/systems/nic-figures.md.
constexpr std::uint32_t kXpBus = 442, kXpPass = 384, kElanBus = 52, kElanPass = 107;

run::Profile lanai_xp() {
  const run::Profile profile{.name = "lanai-xp",
                             .clock_ns = 1000.0 / 225.0,
                             .interface_pass = kXpPass,
                             .interface_launch = kXpPass};
  return with_crossing(profile, kXpBus);
}

/// The firmware's cycles and the time of a crossing are those of lanai-xp: no small point is
/// printed.
run::Profile lanai9() {
  const run::Profile xp = lanai_xp();
  run::Profile profile = xp;
  profile.name = "lanai9";
  profile.clock_ns = 1000.0 / 133.0;
  return with_crossing(
      profile, static_cast<std::uint32_t>(std::lround(xp.bus * xp.clock_ns / profile.clock_ns)));
}

/// A descriptor that a doorbell starts waits for no event.
run::Profile elan3() {
  return with_crossing({.name = "elan3", .clock_ns = 10.0, .interface_pass = kElanPass}, kElanBus);
}

}  // namespace

run::Profile with_crossing(run::Profile profile, std::uint32_t cycles) {
  profile.send = profile.receive = profile.bus = cycles;
  return profile;
}

run::Profile with_pass(run::Profile profile, std::uint32_t cycles) {
  if (profile.interface_launch != 0) profile.interface_launch = cycles;
  profile.interface_pass = cycles;
  return profile;
}

std::vector<run::Profile> paper_profiles() { return {lanai9(), lanai_xp(), elan3()}; }

}  // namespace muster::nic
