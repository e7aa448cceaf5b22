// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/switch_config.hpp"
#include "support/switch_driver.hpp"

namespace muster::testing {

/// A host that uses the register port of one switch at random while traffic flows, within the rules
/// of docs/reference/registers.md: valid registers have different groups and no parent in their
/// child mask, the barrier channel stays as it is. Groups in block RAM may be anything at any time.
/// Bits and addresses without a meaning get random writes too. One that is hostile keeps no rules:
/// it is for switches that guard themselves.
class RegisterHost {
 public:
  /// `rate`: requests a cycle, 0 to 1; `polling`: reads in each of the other cycles. Begins with
  /// the registers as they are now.
  RegisterHost(core::Bank& bank, std::uint32_t block, const fabric::SwitchConfig& config,
               double rate, double polling, std::uint64_t seed, bool hostile = false);

  /// Reads some registers, and perhaps puts a request on the port for the coming clock().
  void act();
  std::uint64_t writes() const { return writes_; }
  /// Barriers under way that a write has cleared: their progress word was not 0 before it.
  std::uint64_t interrupted() const { return interrupted_; }

 private:
  struct Register {
    bool valid = false, reflect = false;
    std::uint32_t parent = 0, gid = 0, children = 0;
  };
  std::uint32_t random_word() { return static_cast<std::uint32_t>(rng_.next()); }
  bool legal(std::uint32_t r, const Register& candidate) const;
  Register control_change(std::uint32_t r);
  Register children_change(std::uint32_t r);
  void poll();
  void write(std::uint32_t address, std::uint32_t value);
  void write_control(std::uint32_t r);
  void write_children(std::uint32_t r);
  bool may_add(std::uint32_t r, std::uint32_t children);
  void write_retry();
  void write_group();
  void write_anything(std::uint32_t r);
  void write_guard();
  void write_without_meaning();

  core::Bank& bank_;
  std::uint32_t block_;
  fabric::SwitchConfig config_;
  double rate_, polling_;
  bool hostile_;
  Rng rng_;
  std::vector<Register> registers_;
  std::uint64_t writes_ = 0, interrupted_ = 0;
};

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
  /// Of all switches: flits sent without a credit; writes refused, flits lost and messages given
  /// up, as far as their records have them at the end.
  std::uint64_t uninvited = 0, refused = 0, lost = 0, given_up = 0;
  std::uint64_t headless = 0;  ///< flits of packets that were broken, of all switches
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
