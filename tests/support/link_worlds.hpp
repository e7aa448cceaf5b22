// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "support/link_pair.hpp"

namespace muster::testing {

/// Calm; bad wires; wires that are dead at times; everything at once, over the longest of two
/// latencies; blocks that give no credit to speak of; blocks that break the rules; frames that no
/// wires make.
inline const std::array<LinkConditions, 7> kLinkWorlds = {{
    {.traffic = {.send = 0.3}, .kill = 0.0005, .late = 30},
    {.traffic = {.send = 0.9}, .faults = {.lost = 0.1, .doubled = 0.05, .corrupted = 0.1}},
    {.latency = 3,
     .traffic = {.send = 0.1},
     .faults = {.lost = 0.01, .dead = 0.003, .dead_cycles = 250},
     .kill = 0.0002},
    {.latency = 5,
     .traffic = {.send = 1, .credit = 0.9},
     .faults =
         {.lost = 0.02, .doubled = 0.02, .corrupted = 0.02, .dead = 0.0005, .dead_cycles = 250},
     .kill = 0.002,
     .reset = 0.001,
     .host = 0.2},
    {.traffic = {.send = 0.9, .credit = 0.03},
     .faults = {.lost = 0.02, .corrupted = 0.02},
     .kill = 0.002},
    {.traffic = {.send = 0.9, .sync = 0.5, .flood = 0.3},
     .faults = {.lost = 0.02, .dead = 0.002, .dead_cycles = 40},
     .restart = 0.2},
    {.traffic = {.send = 0.6},
     .faults = {.lost = 0.01, .corrupted = 0.01, .forged = 0.02},
     .kill = 0.0005,
     .restart = 0.2,
     .checked = false},
}};

}  // namespace muster::testing
