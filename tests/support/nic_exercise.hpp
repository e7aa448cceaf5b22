// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "muster/core/rng.hpp"
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
};

/// Random inputs for one NIC of a bank: a link with well- and ill-formed packets that are aimed at
/// the state in which the NIC is, and a host that uses and misuses its registers, within what
/// docs/systems/nic-engine.md lets it do.
class NicDriver {
 public:
  NicDriver(nic::NicBank& bank, std::uint32_t nic, const nic::NicConfig& config,
            const NicConditions& world, std::uint64_t seed);
  void drive();  ///< the inputs of one cycle

  std::uint64_t events(unsigned kind) const { return events_[kind]; }  ///< taken, by bits 31..29
  std::uint64_t sent() const { return sent_; }                         ///< flits of the NIC

 private:
  void write(std::uint32_t address, std::uint32_t data) { writes_.emplace_back(address, data); }
  bool chance(double p) { return rng_.uniform() < p; }
  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(rng_.below(n)); }
  template <class... T>
  std::uint32_t one_of(T... values) {
    const std::uint32_t all[] = {static_cast<std::uint32_t>(values)...};
    return all[rng_.below(sizeof...(T))];
  }

  void write_times();
  void write_context(std::uint32_t c);
  std::uint32_t entry(bool last, std::uint32_t next, std::uint32_t peer);
  void write_connection(std::uint32_t k);
  void act();
  nic::NicMessage message();
  void next_packet();
  void spoil(std::vector<core::Flit>& flits, nic::NicMessage& m);

  nic::NicBank& bank_;
  const std::uint32_t nic_;
  const nic::NicConfig config_;
  const NicConditions world_;
  Rng rng_;
  std::uint32_t self_, channel_;
  const std::uint32_t stream_;                                  ///< the connection that stays
  std::vector<std::uint32_t> peers_;                            ///< two for each connection
  std::vector<std::vector<std::uint32_t>> entries_;             ///< as written, by context
  std::deque<std::pair<std::uint32_t, std::uint32_t>> writes_;  ///< to come, one after the other
  std::deque<core::Flit> flits_;                                ///< of the packet under way
  std::vector<std::uint32_t> owed_;                             ///< credits, by virtual channel
  std::uint64_t events_[8] = {};
  std::uint64_t sent_ = 0;
};

struct NicExerciseResult {
  std::uint64_t sent = 0;                 ///< flits
  std::array<std::uint64_t, 6> events{};  ///< by kind
  std::array<std::uint64_t, 5> drops{};   ///< malformed, unknown, stale, limited; refused
  std::uint64_t quiet = 0;                ///< cycles in which one was quiescent
  std::uint64_t comparisons = 0;
};

/// Calm; a slow link and host; everything at once; a host that takes no events and a link without
/// credits to speak of; hang_limits; silence, in which timers decide; one long connection.
inline const NicConditions kNicConditions[] = {
    {.packet = 0.3, .bad = 0.05, .credit = 0.9, .ready = 0.9, .host = 0.03},
    {.packet = 0.5, .bad = 0.1, .credit = 0.3, .ready = 0.2, .host = 0.1},
    {.packet = 1.0, .bad = 0.1, .credit = 1.0, .ready = 1.0, .host = 0.3},
    {.packet = 1.0, .bad = 0.02, .credit = 0.06, .ready = 0.01, .host = 0.2},
    {.packet = 0.4, .bad = 0.3, .credit = 0.8, .ready = 0.8, .host = 0.05, .patient = true},
    {.packet = 0.02, .bad = 0.1, .credit = 1.0, .ready = 0.5, .host = 0.03},
    {.packet = 1.0, .bad = 0.02, .credit = 1.0, .ready = 1.0, .host = 0.5, .stream = true},
};

/// Two NICs of one configuration in lockstep for `cycles` cycles of one world; all registers are
/// read now and then. Throws InternalError where RTL and golden differ or an assertion fails.
NicExerciseResult exercise(const nic::NicConfig& config, const NicConditions& world,
                           std::uint64_t seed, std::uint64_t cycles);

}  // namespace muster::testing
