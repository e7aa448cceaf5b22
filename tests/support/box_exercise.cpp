// SPDX-License-Identifier: Apache-2.0
#include "muster/verif.hpp"
#include "support/exercises.hpp"
#include "systems/esc/box_factory.hpp"

namespace muster::testing {

namespace {

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
      if (k % size == 0) together = rng_.chance(mix.volley) ? rng_.below(size) : size;
      if (rx[k] != 0 && ready[k] == 0) {
        if (rng_.chance(mix.withdraw))
          rx[k] = 0;
        else if (rng_.chance(mix.change))
          rx[k] = packet(k / size, mix);
        continue;
      }
      if (together < size)
        rx[k] = packet_to(k / size, together);
      else
        rx[k] = rng_.chance(mix.offer) ? packet(k / size, mix) : 0;
    }
  }
  /// Between settle() and clock().
  void take(const BoxMix& mix) {
    for (const std::uint8_t r : bank_.rx_ready()) taken_ += r;
    for (std::uint8_t& r : bank_.tx_ready()) r = rng_.chance(mix.leave);
  }
  std::uint64_t taken() const { return taken_; }

 private:
  esc::BoxPacket packet(std::uint32_t block, const BoxMix& mix) {
    const unsigned stage = stages_[block];
    const bool broadcast = rng_.chance(mix.broadcast);
    const esc::BoxPacket kind = broadcast ? 3 : 1 + rng_.below(3);
    esc::BoxPacket p = rng_.next() >> 2 | kind << 62;
    const auto bit = esc::BoxPacket{1} << (esc::kBoxBirthLsb + stage);
    p = broadcast ? p | bit : p & ~bit;
    // Up to 16 messages, as merged ones must not be more than fit.
    if (bank_.config().combining && kind == 2)
      p &= ~(esc::BoxPacket{0xFFF} << (esc::kBoxSourceLsb + 4));
    if (!broadcast && rng_.chance(mix.hot)) p &= ~esc::BoxPacket{(1u << esc::kBoxTagBits) - 1};
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
  Random rng_;
  std::uint64_t taken_ = 0;
};

bool drain(esc::BoxBank& bank, std::uint64_t cycle) {
  for (const std::uint64_t end = cycle + bank.config().depth + 1; cycle < end; ++cycle) {
    std::ranges::fill(bank.rx(), 0);
    bank.settle();
    std::ranges::fill(bank.tx_ready(), std::uint8_t{1});
    bank.clock(cycle);
  }
  for (std::uint32_t b = 0; b < bank.blocks(); ++b)
    if (!bank.quiescent(b)) return false;
  return true;
}

}  // namespace

BoxExerciseResult exercise(const esc::BoxConfig& config, std::uint64_t seed, std::uint64_t cycles) {
  const std::vector<std::uint8_t> stages = {0, 0, 1, 1, 2, 3, 4, 5};
  const auto engine = verif::make_lockstep_engine();
  const auto bank = esc::boxes_of(*engine)->make_boxes(config, stages);
  BoxExerciseResult result;
  Random seed_rng(seed);
  for (std::uint16_t round = 0; round < 2; ++round) {  // a reset in mid-traffic forgets everything
    std::vector<std::uint16_t> seeds;
    seeds.push_back(0);  // stands for 1
    for (std::uint16_t b = 1; b < stages.size(); ++b) {
      // Of every other box a single bit, each of the 16 in two exercises of following seeds.
      const std::uint64_t one_bit = 1U << (seed * 8 + round * 4 + b / 2) % 16;
      seeds.push_back(static_cast<std::uint16_t>(b % 2 == 1 ? one_bit : seed_rng.below(0x10000)));
    }
    bank->reset(seeds);
    BoxTraffic traffic(*bank, stages, seed + round);
    std::uint64_t cycle = 0;
    for (const BoxMix& mix : kBoxMixes) {
      const std::uint64_t before = traffic.taken();
      for (const std::uint64_t end = cycle + cycles; cycle < end; ++cycle) {
        traffic.offer(mix);
        bank->settle();
        traffic.take(mix);
        bank->clock(cycle);
      }
      result.taken.push_back(traffic.taken() - before);
    }
    if (round == 1) result.quiet = drain(*bank, cycle);
  }
  result.comparisons = bank->comparisons();
  return result;
}

}  // namespace muster::testing
