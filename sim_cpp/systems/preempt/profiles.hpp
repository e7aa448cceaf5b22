// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/run/profile.hpp"

namespace muster::preempt {

/// Section 4 of the paper: T_s = 100 and 1000 cycles in each barrier, sending and receiving
/// together. What the network does takes what the RTL takes, or T_b = 16 cycles a hop with every
/// scheme.
std::vector<run::Profile> paper_profiles();

}  // namespace muster::preempt
