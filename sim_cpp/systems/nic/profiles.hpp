// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/run/profile.hpp"

namespace muster::nic {

/// The NICs of the paper (section 8; docs/systems/nic-figures.md has the derivation). A step of a
/// collective barrier passes two queues, so a trigger takes two passes and the RTL's own cycles; a
/// barrier of two nodes takes what its host-launched message does, a doorbell and an event.
/// Messages of schemes without a NIC cross the bus between host and link.
std::vector<run::Profile> paper_profiles();

/// The profile with other cycles for a crossing of the host bus.
run::Profile with_crossing(run::Profile profile, std::uint32_t cycles);

/// The profile with other cycles for a pass through a queue of the NIC, also by a message that a
/// doorbell starts if it passes one in the profile.
run::Profile with_pass(run::Profile profile, std::uint32_t cycles);

}  // namespace muster::nic
