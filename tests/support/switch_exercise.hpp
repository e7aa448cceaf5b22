// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/switch_config.hpp"
#include "support/switch_driver.hpp"

namespace muster::testing {

/// Random traffic for switches of one configuration in lockstep.
struct SwitchExercise {
  fabric::SwitchConfig config;
  DriverMix mix;
  std::uint64_t seed = 1;
  std::uint32_t blocks = 2;
  std::uint64_t cycles = 3000;
  double writing = 0.0;  ///< requests of the host a cycle
  double polling = 0.0;  ///< reads of the host in a cycle without
};

struct ExerciseResult {
  bool quiet = false;                    ///< all came to rest after the traffic
  std::uint64_t sent = 0, received = 0;  ///< flits, of the switch with the fewest
  std::uint64_t writes = 0;              ///< of the host of one switch, the fewest
  std::uint64_t interrupted = 0;         ///< barriers under way that the hosts have cleared
  /// Of all switches: writes refused, flits lost and messages given up, as far as their records
  /// have them at the end.
  std::uint64_t refused = 0, lost = 0, given_up = 0;
  std::uint64_t headless = 0;               ///< flits of packets that were broken, of all switches
  std::uint64_t worms = 0, worm_heads = 0;  ///< sent; their heads received, by any output
};

/// Traffic for `cycles` cycles, then until nothing moves, then every register that the map names is
/// read. Throws InternalError where RTL and golden differ or an assertion fails.
ExerciseResult exercise(const SwitchExercise& what);

inline DriverMix busy() { return {0.9, 0.1, 0.9, 0.1, 0.002}; }
inline DriverMix barriers() { return {0.2, 0.7, 0.7, 0.05, 0.002}; }
inline DriverMix starved() { return {0.8, 0.3, 0.06, 0.2, 0.05}; }
inline DriverMix crowded() { return {0.95, 0.4, 0.95, 0.0, 0.0}; }
/// Packets now and then, so that two may meet at a free output.
inline DriverMix light() { return {0.25, 0.02, 0.95, 0.1, 0.0}; }
/// Messages wait for credits, so that several registers ask for one output.
inline DriverMix piled() { return {0.1, 0.9, 0.12, 0.0, 0.0}; }
/// Data press for the outputs that several registers ask for.
inline DriverMix pressed() { return {0.9, 0.8, 0.4, 0.0, 0.0, 0.05}; }
/// Only arrivals of all ports at once, so that their data wait to be folded alone.
inline DriverMix meeting() { return {0.0, 0.0, 0.95, 0.0, 0.0, 0.0, 0.05}; }
/// The same beside data, for which outputs are held that several registers ask for.
inline DriverMix crossed() { return {0.9, 0.0, 0.9, 0.0, 0.0, 0.0, 0.3}; }
inline DriverMix sparse() { return {0.05, 0.05, 0.3, 0.3, 0.05}; }

}  // namespace muster::testing
