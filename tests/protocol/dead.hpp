// SPDX-License-Identifier: Apache-2.0
// Messages that no vertex will ever read, taken out of states, so that there are fewer.
//
// A message may be lost at any time, so a state without it is reachable from one with it; and if
// its receiver can do nothing with it, what follows is the same. Such are:
//   1. all messages to a node that is disabled or has failed, and from a port that is not live: it
//      stays so until the channels are drained. A failed register in phase f answers UP(f-1), of
//      which only the phase matters; with failures that are not sent again it answers UP(f) too;
//   2. the oldest DOWN, if it is not of the phase and epoch of the child, which are changed by
//      messages behind it at the earliest;
//   3. of DOWN(f-1) and DOWN(f, fail), which a failed register in phase f sends in any mixture, all
//      behind the first DOWN(f, fail): a child in phase f does nothing with DOWN(f-1), and the
//      first DOWN(f, fail) stands for any number of copies.
#pragma once

#include "protocol/protocol.hpp"

namespace muster::protocol {

/// The rules are those for which the above is so.
bool knows_dead(const Protocol& p);
void forget_dead(const Protocol& p, State& s);

}  // namespace muster::protocol
