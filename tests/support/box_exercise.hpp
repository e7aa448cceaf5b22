// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "systems/esc/box_bank.hpp"

namespace muster::testing {

/// What happens at the ports of a box, as probabilities in a cycle.
struct BoxMix {
  double offer = 0.5;      ///< an input without a packet gets one
  double broadcast = 0.0;  ///< of those, it is for all outputs
  double hot = 0.0;        ///< of the others, it is for output 0
  double leave = 0.8;      ///< an output is ready
  double change = 0.0;     ///< a blocked packet asks for another output
  double withdraw = 0.0;   ///< a blocked packet is taken back
  double volley = 0.0;     ///< all inputs of a box without a packet get one for the same output
};

struct BoxExerciseResult {
  bool quiet = false;                ///< all came to rest after the traffic
  std::vector<std::uint64_t> taken;  ///< packets, by mix of each of the two rounds
  std::uint64_t comparisons = 0;
};

/// Calm, all outputs at full rate, one hot output, broadcasts among others and alone, outputs that
/// hardly move, offers that change their mind, next to nothing, and all inputs for an empty output.
inline const BoxMix kBoxMixes[] = {
    {.offer = 0.5, .leave = 0.9},
    {.offer = 1.0, .leave = 1.0},
    {.offer = 0.6, .broadcast = 0.02, .hot = 0.7, .leave = 0.9},
    {.offer = 0.8, .broadcast = 0.4, .leave = 0.8},
    {.offer = 1.0, .broadcast = 1.0, .leave = 1.0},
    {.offer = 0.9, .broadcast = 0.1, .hot = 0.3, .leave = 0.06},
    {.offer = 0.9, .broadcast = 0.2, .leave = 0.5, .change = 0.5, .withdraw = 0.2},
    {.offer = 0.02, .broadcast = 0.2, .leave = 0.5},
    {.offer = 0.0, .leave = 1.0, .volley = 0.2},
};

/// Eight boxes of one configuration in several stages, in lockstep: each mix for `cycles` cycles,
/// all in one run, so that one begins with what the other has left; all of it twice, with a reset
/// between; then until they are empty. Throws InternalError where RTL and golden differ or an
/// assertion fails.
BoxExerciseResult exercise(const esc::BoxConfig& config, std::uint64_t seed, std::uint64_t cycles);

}  // namespace muster::testing
