// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/run/profile.hpp"

namespace muster::nic {

/// The NICs of the paper (section 8; docs/systems/nic-figures.md has the derivation). A step of a
/// collective barrier passes two queues, so a trigger takes two passes and the RTL's own cycles; a
/// barrier of two nodes takes that, a doorbell and an event. Messages of schemes without a NIC
/// cross the bus between host and link.
std::vector<run::Profile> paper_profiles();

}  // namespace muster::nic
