// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "systems/nic/nic_bank.hpp"

namespace muster::testing {

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

}  // namespace muster::testing
