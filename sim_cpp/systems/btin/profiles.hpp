// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/run/profile.hpp"

namespace muster::btin {

/// `btin`, BTIN section 5.1: a message takes t_s + d t_p + (d + 1) t_r over d links, d - 1 switches
/// and two network interfaces. A hop of the RTL, 3 cycles over a link of one, is part of t_p + t_r;
/// the pipe in each of the d channels makes up the rest of it. The sending host has t_s and the
/// interface's t_r, less the cycle into the node's output register; the receiving one what t_p and
/// t_r leave over for the last link, behind which there is no switch.
///
/// `btin-occupied` is the same with a case that section 5.1 leaves open: how soon an input of a
/// switch takes the next header. There it has to pass the one before on first, which takes
/// t_r + t_p. Inputs of nodes are free.
std::vector<run::Profile> paper_profiles();

}  // namespace muster::btin
