// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/switch_config.hpp"
#include "support/preempt_driver.hpp"

namespace muster::testing {

/// What a preempting switch did in an exercise.
struct PreemptResult {
  bool quiet = false;  ///< all came to rest after the traffic, and all cuts had ended
  std::uint64_t sent = 0, cuts = 0, pads = 0, messages = 0, writes = 0;
  std::uint32_t wait = 0;  ///< the longest
};

/// Random traffic for one preempting switch in lockstep for `cycles` cycles, then, but with held
/// links, until nothing moves; then every address is read. Throws InternalError where RTL and
/// golden differ or an assertion fails.
PreemptResult exercise(const fabric::SwitchConfig& config, const PreemptMix& mix,
                       std::uint64_t seed, std::uint64_t cycles);

inline constexpr PreemptMix kPreemptMixes[] = {
    // data messages here controls faults send credit stuck host held
    {0.10, 0.05, 0.3, 0.01, 0.002, 1.0, 0.95, 0.001, 8, false},  // busy
    {0.30, 0.10, 0.1, 0.02, 0.0, 1.0, 0.5, 0.01, 5, false},      // much to cut
    {0.0, 0.30, 0.5, 0.0, 0.01, 1.0, 1.0, 0.0, 9, false},        // only messages
    {0.02, 0.02, 0.7, 0.01, 0.01, 0.5, 0.9, 0.001, 10, false},   // few, with gaps
    {0.20, 0.30, 0.0, 0.0, 0.0, 1.0, 0.9, 0.01, 0, false},     // cuts that last, channels that stop
    {0.20, 0.05, 0.1, 0.10, 0.05, 0.9, 0.3, 0.005, 5, false},  // faults, and pads everywhere
    {0.20, 0.03, 0.2, 0.01, 0.001, 1.0, 0.9, 0.001, 8, true},  // held links
    {0.10, 0.10, 0.4, 0.02, 0.001, 1.0, 0.9, 0.001, 9, false, 0.02},  // the host writes,
    {0.10, 0.20, 0.5, 0.02, 0.001, 1.0, 0.9, 0.001, 5, false, 0.5},   // all the time
};

}  // namespace muster::testing
