// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "muster/core/rng.hpp"
#include "systems/esc/box_bank.hpp"
#include "systems/esc/box_factory.hpp"

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

/// Random packets and readies for all boxes of a bank, which keeps the rules of a network: an offer
/// stays until it is taken, changed or withdrawn. Packets differ in every bit over time.
class BoxTraffic {
 public:
  BoxTraffic(esc::BoxBank& bank, std::span<const std::uint8_t> stages, std::uint64_t seed)
      : bank_(bank), stages_(stages.begin(), stages.end()), rng_(seed) {}

  /// Before settle().
  void offer(const BoxMix& mix) {
    const auto rx = bank_.rx();
    const auto ready = bank_.rx_ready();
    const std::uint32_t size = bank_.config().size;
    std::uint32_t together = size;  // the output of this box's volley, or none
    for (std::uint32_t k = 0; k < rx.size(); ++k) {
      if (k % size == 0)
        together = mix.volley > 0.0 && chance(mix.volley)
                       ? static_cast<std::uint32_t>(rng_.below(size))
                       : size;
      if (rx[k] != 0 && ready[k] == 0) {
        if (chance(mix.withdraw))
          rx[k] = 0;
        else if (chance(mix.change))
          rx[k] = packet(k / size, mix);
        continue;
      }
      if (together < size)
        rx[k] = packet_to(k / size, together);
      else
        rx[k] = chance(mix.offer) ? packet(k / size, mix) : 0;
    }
  }
  /// Between settle() and clock().
  void take(const BoxMix& mix) {
    for (const std::uint8_t r : bank_.rx_ready()) taken_ += r;
    for (std::uint8_t& r : bank_.tx_ready()) r = chance(mix.leave);
  }
  std::uint64_t taken() const { return taken_; }

 private:
  bool chance(double p) { return rng_.uniform() < p; }
  esc::BoxPacket packet(std::uint32_t block, const BoxMix& mix) {
    const unsigned stage = stages_[block];
    const bool broadcast = chance(mix.broadcast);
    const esc::BoxPacket kind = broadcast ? 3 : 1 + rng_.below(3);
    esc::BoxPacket p = rng_.next() >> 2 | kind << 62;
    const auto bit = esc::BoxPacket{1} << (esc::kBoxBirthLsb + stage);
    p = broadcast ? p | bit : p & ~bit;
    // Up to 16 messages, as merged ones must not be more than fit.
    if (bank_.config().combining && kind == 2)
      p &= ~(esc::BoxPacket{0xFFF} << (esc::kBoxSourceLsb + 4));
    if (!broadcast && chance(mix.hot)) p &= ~esc::BoxPacket{(1u << esc::kBoxTagBits) - 1};
    return p;
  }

  /// A packet for this output of a box in any stage.
  esc::BoxPacket packet_to(std::uint32_t block, std::uint32_t output) {
    const std::uint32_t size = bank_.config().size;
    std::uint32_t tag = 0;
    for (unsigned i = 0; i < esc::kBoxTagBits; ++i) tag = tag * size + output;
    const esc::BoxPacket mask = (esc::BoxPacket{1} << esc::kBoxTagBits) - 1;
    return (packet(block, {}) & ~mask) | (tag & mask);
  }

  esc::BoxBank& bank_;
  std::vector<std::uint8_t> stages_;
  Rng rng_;
  std::uint64_t taken_ = 0;
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
