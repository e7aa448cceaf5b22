// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/golden_boxes.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "muster/core/rng.hpp"
#include "support/seed.hpp"

using namespace muster;

namespace {

/// One box by the numbered steps of docs/systems/interchange-box.md, with no thought of speed.
struct PlainBox {
  unsigned n, depth, stage;
  std::uint16_t value;
  std::vector<std::deque<esc::BoxPacket>> queues{n};

  unsigned bit(unsigned k) const { return value >> (5 * k % 16) & 1; }
  bool requests(esc::BoxPacket p, unsigned o) const {
    if (p == 0) return false;
    const unsigned bits = n == 2 ? 1 : n == 4 ? 2 : 3;
    return esc::broadcast_in(p, stage) || (p >> (stage * bits)) % n == o;
  }
  unsigned wanted(const std::vector<esc::BoxPacket>& in, unsigned o) const {
    unsigned count = 0;
    for (const esc::BoxPacket p : in) count += requests(p, o);
    return count;
  }
  bool contended(const std::vector<esc::BoxPacket>& in) const {
    for (unsigned o = 0; o < n; ++o)
      if (wanted(in, o) > 1) return true;
    return false;
  }
  std::vector<unsigned> order() const {
    unsigned start = bit(0) + 2 * bit(1) + 4 * bit(2);
    start %= n;
    std::vector<unsigned> inputs;
    for (unsigned k = 0; k < n; ++k)
      inputs.push_back(bit(3) == 0 ? (start + k) % n : (start + n - k) % n);
    return inputs;
  }
  std::vector<bool> ready(const std::vector<esc::BoxPacket>& in) const {
    std::vector<bool> taken(n);
    const auto scan = order();
    for (unsigned k = 0; k < n; ++k) {
      bool all = in[scan[k]] != 0;
      for (unsigned o = 0; o < n; ++o) {
        if (!requests(in[scan[k]], o)) continue;
        unsigned before = 0;
        for (unsigned j = 0; j < k; ++j) before += requests(in[scan[j]], o);
        if (before >= depth - queues[o].size()) all = false;
      }
      taken[scan[k]] = all;
    }
    return taken;
  }
  void clock(const std::vector<esc::BoxPacket>& in, const std::vector<bool>& leaves) {
    const auto taken = ready(in);
    for (unsigned o = 0; o < n; ++o)
      if (leaves[o] && !queues[o].empty()) queues[o].pop_front();
    for (const unsigned i : order())
      for (unsigned o = 0; o < n; ++o)
        if (taken[i] && requests(in[i], o)) queues[o].push_back(in[i]);
    if (contended(in))
      value = static_cast<std::uint16_t>(value % 2 == 1 ? value / 2 ^ 0xD008 : value / 2);
  }
};

/// A bank of one box in stage 0.
struct OneBox {
  OneBox(unsigned n, unsigned depth, std::uint16_t seed = 1)
      : size(n), bank(golden::make_box_bank({n, depth}, {0})) {
    bank->reset(std::array{seed});
  }
  /// Offers packets to the outputs named (-1: none), returns who is taken, clocks.
  std::vector<int> cycle(const std::vector<int>& outputs, bool leaves = true) {
    for (unsigned i = 0; i < size; ++i) {
      bank->rx()[i] = outputs[i] < 0 ? 0 : packet(i, outputs[i]);
      bank->tx_ready()[i] = leaves;
    }
    bank->settle();
    std::vector<int> taken(bank->rx_ready().begin(), bank->rx_ready().end());
    bank->clock(now++);
    return taken;
  }
  esc::BoxPacket packet(unsigned i, int output) const {
    return esc::make_packet(esc::BoxKind::kBackground, now, i, static_cast<unsigned>(output));
  }
  unsigned size;
  std::uint64_t now = 0;
  std::unique_ptr<esc::BoxBank> bank;
};

}  // namespace

TEST_CASE("a golden box does in every cycle what the page says", "[golden][esc]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  for (unsigned trial = 0; trial < 300; ++trial) {
    const unsigned n = 2u << rng.below(3);
    const unsigned depth = 1 + static_cast<unsigned>(rng.below(trial % 2 == 0 ? 4 : 64));
    const unsigned stage = static_cast<unsigned>(rng.below(n == 2 ? 17 : n == 4 ? 9 : 6));
    const auto lfsr = static_cast<std::uint16_t>(rng.next());
    const double load = rng.uniform(), drain = rng.uniform(), broadcasts = trial % 3 == 0 ? 0.2 : 0;
    CAPTURE(trial, n, depth, stage, lfsr, load, drain);
    const auto bank = golden::make_box_bank({n, depth}, {static_cast<std::uint8_t>(stage)});
    bank->reset(std::array{lfsr});
    PlainBox plain{n, depth, stage, static_cast<std::uint16_t>(lfsr == 0 ? 1 : lfsr)};
    for (unsigned cycle = 0; cycle < 400; ++cycle) {
      std::vector<esc::BoxPacket> in(n);
      std::vector<bool> leaves(n);
      for (unsigned i = 0; i < n; ++i) {
        if (rng.uniform() < load) {
          const auto tag = static_cast<std::uint32_t>(rng.below(1u << 18));
          in[i] = rng.uniform() < broadcasts
                      ? esc::make_release(1u << rng.below(17), i, tag)
                      : esc::make_packet(esc::BoxKind::kBackground, cycle, i, tag);
        }
        leaves[i] = rng.uniform() < drain;
        bank->rx()[i] = in[i];
        bank->tx_ready()[i] = leaves[i];
      }
      bank->settle();
      const auto ready = plain.ready(in);
      for (unsigned i = 0; i < n; ++i) REQUIRE(bank->rx_ready()[i] == ready[i]);
      bank->clock(cycle);
      plain.clock(in, leaves);
      bool empty = true;
      for (unsigned o = 0; o < n; ++o) {
        const auto& queue = plain.queues[o];
        REQUIRE(bank->tx()[o] == (queue.empty() ? 0 : queue.front()));
        empty = empty && queue.empty();
      }
      REQUIRE(bank->quiescent(0) == empty);
    }
  }
}

TEST_CASE("the surplus of the page's example is blocked", "[golden][esc]") {
  // Value 0x8020 has draw bits 1 and 3 (bits 5 and 15): start 2, downward; 0x0020: start 2, upward.
  for (const auto& [value, wins] : std::map<std::uint16_t, unsigned>{{0x8020, 1}, {0x0020, 3}}) {
    OneBox box(4, 12, value);
    // Fill output 2 with 11 packets from one input: nothing contends, the LFSR keeps its value.
    for (int k = 0; k < 11; ++k) REQUIRE(box.cycle({2, -1, -1, -1}, false)[0] == 1);
    const auto taken = box.cycle({2, 2, -1, 2}, false);
    for (unsigned i = 0; i < 4; ++i) CHECK(taken[i] == (i == wins));
  }
}

TEST_CASE("a packet that leaves makes room from the next cycle on", "[golden][esc]") {
  OneBox box(2, 1);
  unsigned taken = 0;
  for (int cycle = 0; cycle < 100; ++cycle) taken += box.cycle({1, -1})[0];
  CHECK(taken == 50);
}

TEST_CASE("a broadcast is taken for all outputs or none", "[golden][esc]") {
  OneBox box(4, 1);
  box.cycle({3, -1, -1, -1}, false);  // output 3 is full and stays so
  box.bank->rx()[0] = esc::make_release(1, 7, 0);
  for (unsigned i = 1; i < 4; ++i) box.bank->rx()[i] = 0;
  for (unsigned o = 0; o < 4; ++o) box.bank->tx_ready()[o] = o == 3;
  box.bank->settle();
  CHECK(box.bank->rx_ready()[0] == 0);
  box.bank->clock(1);  // output 3 drains
  box.bank->settle();
  CHECK(box.bank->rx_ready()[0] == 1);
  box.bank->clock(2);
  for (unsigned o = 0; o < 4; ++o) CHECK(box.bank->tx()[o] == esc::make_release(1, 7, 0));
}

TEST_CASE("no set of requesters is treated worse than the page's bound", "[golden][esc]") {
  constexpr unsigned kDraws = 65535;  // the whole period of the LFSR
  for (const unsigned n : {2u, 4u, 8u}) {
    const double bound = n == 2 ? 0.0 : n == 4 ? 1.0 / 12 : 5.0 / 24;
    for (const unsigned set : n == 8 ? std::vector<unsigned>{0b111, 0b1001, 0b11111, 0b1010111}
                                     : std::vector<unsigned>{0b11, 0b111, 0b1111, 0b1010}) {
      std::vector<int> outputs(n, -1);
      unsigned requesters = 0;
      for (unsigned i = 0; i < n; ++i) {
        if ((set >> i & 1) == 0) continue;
        outputs[i] = 0;
        ++requesters;
      }
      if (set >> n != 0) continue;
      OneBox box(n, 1);
      std::vector<unsigned> wins(n);
      for (unsigned k = 0; k < kDraws; ++k) {
        const auto taken = box.cycle(outputs, true);
        for (unsigned i = 0; i < n; ++i) wins[i] += taken[i];
        box.cycle(std::vector<int>(n, -1), true);  // the output drains, the LFSR holds
      }
      for (unsigned i = 0; i < n; ++i) {
        CAPTURE(n, set, i, wins[i]);
        if (outputs[i] < 0) {
          CHECK(wins[i] == 0);
          continue;
        }
        const double share = wins[i] / double(kDraws);
        CHECK(std::abs(share - 1.0 / requesters) <= bound + 1e-4);
      }
    }
  }
}
