// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/preempt_driver.hpp"
#include "support/switch_driver.hpp"
#include "systems/esc/box_bank.hpp"
#include "systems/nic/nic_bank.hpp"

/// Random traffic for blocks of one configuration, RTL and golden in lockstep.
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

/// How the world around a NIC behaves, chances in a cycle unless said otherwise.
struct NicConditions {
  double packet = 0.5;   ///< a packet begins while none is under way
  double bad = 0.1;      ///< of packets: damaged, cut short, for others, of other opcodes
  double credit = 0.8;   ///< a credit that is owed comes back
  double ready = 0.8;    ///< the host takes an event
  double host = 0.05;    ///< the host does something of its own
  bool patient = false;  ///< timeouts of thousands of cycles, or none
  /// DATA to some NICs, ACKs to the others, on one connection that stays: its numbers use all bits.
  bool stream = false;
  bool early = false;  ///< messages are those of the barrier to come
};

struct NicExerciseResult {
  std::uint64_t sent = 0;                 ///< flits
  std::array<std::uint64_t, 6> events{};  ///< by kind
  std::array<std::uint64_t, 5> drops{};   ///< malformed, unknown, stale, limited; refused
  std::uint64_t quiet = 0;                ///< cycles in which one was quiescent
  std::uint64_t comparisons = 0;
};

/// Calm; a slow link and host; everything at once; a host that takes no events and a link without
/// credits to speak of; long timeouts; silence, in which timers decide; one long connection;
/// a context that stands while its peers are one barrier ahead.
inline const NicConditions kNicConditions[] = {
    {.packet = 0.3, .bad = 0.05, .credit = 0.9, .ready = 0.9, .host = 0.03},
    {.packet = 0.5, .bad = 0.1, .credit = 0.3, .ready = 0.2, .host = 0.1},
    {.packet = 1.0, .bad = 0.1, .credit = 1.0, .ready = 1.0, .host = 0.3},
    {.packet = 1.0, .bad = 0.02, .credit = 0.06, .ready = 0.01, .host = 0.2},
    {.packet = 0.4, .bad = 0.3, .credit = 0.8, .ready = 0.8, .host = 0.05, .patient = true},
    {.packet = 0.02, .bad = 0.1, .credit = 1.0, .ready = 0.5, .host = 0.03},
    {.packet = 1.0, .bad = 0.02, .credit = 1.0, .ready = 1.0, .host = 0.5, .stream = true},
    {.packet = 1.0, .bad = 0.02, .credit = 1.0, .ready = 1.0, .host = 0.01, .early = true},
};

/// Two NICs of one configuration in lockstep for `cycles` cycles of one world; all registers are
/// read now and then. Throws InternalError where RTL and golden differ or an assertion fails.
NicExerciseResult exercise(const nic::NicConfig& config, const NicConditions& world,
                           std::uint64_t seed, std::uint64_t cycles);

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
