// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/rng.hpp"
#include "network/box_bank.hpp"

namespace muster::testing {

/// What happens at the ports of a box, as probabilities in a cycle.
struct BoxMix {
  double offer = 0.5;      ///< an input without a packet gets one
  double broadcast = 0.0;  ///< of those, it is for all outputs
  double hot = 0.0;        ///< of the others, it is for output 0
  double leave = 0.8;      ///< an output is ready
  double change = 0.0;     ///< a blocked packet asks for another output
  double withdraw = 0.0;   ///< a blocked packet is taken back
};

/// Random packets and readies for all boxes of a bank, which keeps the rules of a network: an offer
/// stays until it is taken, changed or withdrawn. Packets differ in every bit over time.
class BoxTraffic {
 public:
  BoxTraffic(network::BoxBank& bank, std::span<const std::uint8_t> stages, std::uint64_t seed)
      : bank_(bank), stages_(stages.begin(), stages.end()), rng_(seed) {}

  /// Before settle().
  void offer(const BoxMix& mix) {
    const auto rx = bank_.rx();
    const auto ready = bank_.rx_ready();
    for (std::uint32_t k = 0; k < rx.size(); ++k) {
      if (rx[k] != 0 && ready[k] == 0) {
        if (chance(mix.withdraw))
          rx[k] = 0;
        else if (chance(mix.change))
          rx[k] = packet(k / bank_.config().size, mix);
        continue;
      }
      rx[k] = chance(mix.offer) ? packet(k / bank_.config().size, mix) : 0;
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
  network::BoxPacket packet(std::uint32_t block, const BoxMix& mix) {
    const unsigned stage = stages_[block];
    const bool broadcast = chance(mix.broadcast);
    const network::BoxPacket kind = broadcast ? 3 : 1 + rng_.below(3);
    network::BoxPacket p = rng_.next() >> 2 | kind << 62;
    const auto bit = network::BoxPacket{1} << (network::kBoxBirthLsb + stage);
    p = broadcast ? p | bit : p & ~bit;
    // Up to 16 messages, as merged ones must not be more than fit.
    if (bank_.config().combining && kind == 2)
      p &= ~(network::BoxPacket{0xFFF} << (network::kBoxSourceLsb + 4));
    if (!broadcast && chance(mix.hot)) p &= ~network::BoxPacket{(1u << network::kBoxTagBits) - 1};
    return p;
  }

  network::BoxBank& bank_;
  std::vector<std::uint8_t> stages_;
  Rng rng_;
  std::uint64_t taken_ = 0;
};

}  // namespace muster::testing
