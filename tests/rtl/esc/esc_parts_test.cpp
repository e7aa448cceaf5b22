// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <vector>

#include "Vadaptive_n2.h"
#include "Vadaptive_n4.h"
#include "Vadaptive_n8.h"
#include "Vbox_n2_s1_w1.h"
#include "Vbox_n2_s3_w256.h"
#include "Vbox_n4_s1_w1.h"
#include "Vbox_n8_s1_w1.h"
#include "Vbypass_n2_w1.h"
#include "Vbypass_n4_w64.h"
#include "Vscan_order_n2.h"
#include "Vscan_order_n4.h"
#include "Vscan_order_n8.h"
#include "Vthrottle_turns4.h"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

TEMPLATE_TEST_CASE("a scan goes around from its start, in its direction", "[rtl][esc]",
                   (Sized<Vscan_order_n2, 2>), (Sized<Vscan_order_n4, 4>),
                   (Sized<Vscan_order_n8, 8>)) {
  constexpr unsigned n = TestType::kSizes[0];
  typename TestType::Model dut;
  for (unsigned start = 0; start < n; ++start)
    for (const bool down : {false, true}) {
      std::vector<unsigned> order;
      for (unsigned k = 0; k < n; ++k) order.push_back((down ? start + n - k : start + k) % n);
      dut.start_i = start;
      dut.down_i = down;
      dut.eval();
      for (unsigned j = 0; j < n; ++j)
        for (unsigned i = 0; i < n; ++i) {
          CAPTURE(start, down, j, i);
          const bool after =
              std::find(order.begin(), order.end(), i) > std::find(order.begin(), order.end(), j);
          CHECK(((std::uint64_t{dut.after_o} >> (j * n + i)) & 1) == after);
        }
    }
}

TEMPLATE_TEST_CASE("a bypass leads through the box or past it", "[rtl][esc]",
                   (Sized<Vbypass_n2_w1, 2, 1>), (Sized<Vbypass_n4_w64, 4, 64>)) {
  constexpr unsigned n = TestType::kSizes[0], bits = n * TestType::kSizes[1];
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  VerilatedContext context;
  typename TestType::Model dut(&context, "dut");
  for (int round = 0; round < 2000; ++round) {
    const bool enable = rng.below(2) != 0;
    const auto valid = rng.below(1u << n), box_valid = rng.below(1u << n);
    const auto ready = rng.below(1u << n), box_ready = rng.below(1u << n);
    const Word packet = random_word(rng, bits), box_packet = random_word(rng, bits);
    dut.enable_i = enable;
    put(dut.valid_i, valid);
    put(dut.packet_i, packet);
    put(dut.ready_i, ready);
    put(dut.box_valid_i, box_valid);
    put(dut.box_packet_i, box_packet);
    put(dut.box_ready_i, box_ready);
    dut.eval();
    CAPTURE(round, enable);
    REQUIRE(dut.ready_o == (enable ? box_ready : ready));
    REQUIRE(dut.valid_o == (enable ? box_valid : valid));
    REQUIRE(get(dut.packet_o) == (enable ? box_packet : packet));
    REQUIRE(dut.box_valid_o == (enable ? valid : 0));
    REQUIRE(dut.box_ready_o == (enable ? ready : 0));
    REQUIRE(get(dut.box_packet_o) == packet);
  }
}

TEMPLATE_TEST_CASE("the adaptive choice is the emptiest buffer, its own first", "[rtl][esc]",
                   (Sized<Vadaptive_n2, 2>), (Sized<Vadaptive_n4, 4>), (Sized<Vadaptive_n8, 8>)) {
  constexpr unsigned n = TestType::kSizes[0];
  VerilatedContext context;
  typename TestType::Model dut(&context, "dut");
  Rng rng(muster_seed());
  for (int round = 0; round < 2000; ++round) {
    const auto link = static_cast<unsigned>(rng.below(n));
    std::uint64_t fills = 0;
    std::array<unsigned, n> fill{};
    for (unsigned o = 0; o < n; ++o) {
      fill[o] = static_cast<unsigned>(rng.below(round % 2 == 0 ? 16 : 3));
      fills |= std::uint64_t{fill[o]} << (4 * o);
    }
    unsigned best = link;  // what no other is better than, looked for from the far end
    for (unsigned k = n - 1; k > 0; --k)
      if (fill[(link + k) % n] <= fill[best] && fill[(link + k) % n] < fill[link])
        best = (link + k) % n;
    CAPTURE(link, fills);
    dut.link_i = link;
    dut.fill_i = fills;
    dut.straight_i = 0;
    dut.eval();
    CHECK(dut.digit_o == best);
    dut.straight_i = 1;
    dut.eval();
    CHECK(dut.digit_o == link);
  }
}

TEST_CASE("a throttled PE holds a synchronization message back until its turn", "[rtl][esc]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed);
  Clocked<Vthrottle_turns4> dut(seed);
  dut->turn_i = 2;
  dut->turn_mask_i = 3;
  std::uint64_t held = 0;
  std::uint64_t head = 0;
  int moved = 0, released = 0;
  for (unsigned cycle = 0; cycle < 4000; ++cycle) {
    if (head == 0 && rng.below(3) != 0) head = (1 + rng.below(3)) << 62 | rng.next() >> 2;
    const bool busy = cycle / 16 % 2 == 0 || rng.below(8) == 0;
    const bool ready = rng.below(4) != 0;
    dut->head_valid_i = head != 0;
    dut->head_i = head;
    dut->busy_i = busy;
    dut->ready_i = ready;
    dut.settle();

    CAPTURE(seed, cycle, busy, ready, head);
    const bool aside = busy && held == 0 && head >> 62 == 2;
    const bool from_held = held != 0 && !busy && cycle % 4 == 2;
    const std::uint64_t offer = from_held ? held : aside ? 0 : head;
    REQUIRE((dut->valid_o != 0) == (offer != 0));
    if (offer != 0) REQUIRE(dut->packet_o == offer);
    const bool leaves = aside || (head != 0 && !from_held && ready);
    REQUIRE((dut->head_leaves_o != 0) == leaves);

    if (aside) held = head;
    if (from_held && ready) held = 0;
    if (leaves) head = 0;
    moved += aside;
    released += from_held && ready;
    dut.edge();
  }
  CHECK(moved > 50);
  CHECK(released > 50);
}

namespace {

/// How often each input is accepted while the inputs of `set`, and no others, ask for output 0 all
/// the time, over all numbers of the LFSR. With room for one packet a box accepts in every second
/// cycle, and draws in each: twice the odd period uses every number once for an acceptance.
template <class T>
std::vector<unsigned> shares(unsigned set, std::uint64_t seed) {
  constexpr unsigned n = T::kSizes[0];
  Clocked<typename T::Model> dut(seed);
  dut->seed_i = 1 + seed % 65535;
  dut->valid_i = 0;
  dut.reset();
  dut->valid_i = set;
  dut->digit_i = 0;
  dut->broadcast_i = 0;
  dut->packet_i = 0;
  dut->ready_i = 1;
  std::vector<unsigned> taken(n);
  for (unsigned cycle = 0; cycle < 2 * 65535; ++cycle) {
    dut.settle();
    const unsigned ready = dut->ready_o;
    REQUIRE((ready != 0) == (cycle % 2 == 0));
    for (unsigned i = 0; i < n; ++i) taken[i] += (ready >> i) & 1;
    dut.edge();
  }
  return taken;
}

}  // namespace

TEMPLATE_TEST_CASE("the bias of a box keeps to the bound that interchange-box.md gives",
                   "[rtl][esc]", (Sized<Vbox_n2_s1_w1, 2>), (Sized<Vbox_n4_s1_w1, 4>),
                   (Sized<Vbox_n8_s1_w1, 8>)) {
  constexpr unsigned n = TestType::kSizes[0];
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  double worst = 0.0;
  for (unsigned set = 0; set < 1u << n; ++set) {
    const int requesters = __builtin_popcount(set);
    // Of the 247 sets of eight inputs a few are enough, among them the most biased one.
    if (requesters < 2 || (n == 8 && set != 3 && set != 7 && rng.below(60) != 0)) continue;
    const auto taken = shares<TestType>(set, seed);
    for (unsigned i = 0; i < n; ++i) {
      CAPTURE(set, i, taken[i]);
      if (((set >> i) & 1) == 0) {
        REQUIRE(taken[i] == 0);
        continue;
      }
      const double bias = std::abs(taken[i] / 65535.0 - 1.0 / requesters);
      worst = std::max(worst, bias);
      // The number 0 does not occur, which moves a share by less than 1 / 65535.
      CHECK(bias <= (requesters == 2 ? 0.0 : n == 4 ? 1.0 / 12 : 5.0 / 24) + 1.0 / 65535);
    }
  }
  if (n > 2) CHECK(worst == Approx(n == 4 ? 1.0 / 12 : 5.0 / 24).epsilon(0.001));
}

TEST_CASE("a box keeps packets of 256 bits whole and in order", "[rtl][esc]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  Clocked<Vbox_n2_s3_w256> dut(seed);
  dut->valid_i = 0;
  dut->broadcast_i = 0;
  dut.reset();
  std::deque<Word> queue[2];
  constexpr unsigned kWords = 8;
  for (int cycle = 0; cycle < 4000; ++cycle) {
    // The inputs never ask for the same output, so it is plain who is taken.
    const unsigned crossed = static_cast<unsigned>(rng.below(2));
    Word packets[2];
    dut->valid_i = static_cast<CData>(rng.below(4));
    dut->digit_i = crossed ? 0b01 : 0b10;
    dut->ready_i = static_cast<CData>(rng.below(4) & rng.below(4));
    for (unsigned i = 0; i < 2; ++i) {
      packets[i] = random_word(rng, 256);
      for (unsigned w = 0; w < kWords; ++w) dut->packet_i[i * kWords + w] = packets[i][w];
    }
    dut.settle();
    REQUIRE(dut->quiescent_o == (queue[0].empty() && queue[1].empty()));
    for (unsigned o = 0; o < 2; ++o) {
      REQUIRE(((dut->valid_o >> o) & 1) == !queue[o].empty());
      const unsigned i = o ^ crossed;
      REQUIRE(((dut->ready_o >> i) & 1) == (((dut->valid_i >> i) & 1) && queue[o].size() < 3));
      for (unsigned w = 0; w < kWords && !queue[o].empty(); ++w)
        REQUIRE(dut->packet_o[o * kWords + w] == queue[o].front()[w]);
    }
    const unsigned taken = dut->ready_o, leaves = dut->ready_i;
    dut.edge();
    for (unsigned o = 0; o < 2; ++o) {
      if (((leaves >> o) & 1) && !queue[o].empty()) queue[o].pop_front();
      if ((taken >> (o ^ crossed)) & 1) queue[o].push_back(packets[o ^ crossed]);
    }
  }
}
