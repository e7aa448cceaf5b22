// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/sharing.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Which of the ranks of a run has which blocks: parts of the network with few links between them,
/// of equal size except for that of rank 0, which is smaller by what home takes. What stands at a
/// node or at the sender of a channel is where the switch there is. REQUIRES: graph, engine and
/// ranks.
fabric::Division divide_network(const RunSpec& spec);

}  // namespace muster::run
