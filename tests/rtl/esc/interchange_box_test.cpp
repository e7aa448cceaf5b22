// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <vector>

#include "Vbox_n2_s1_w1.h"
#include "Vbox_n2_s3_w256.h"
#include "Vbox_n4_s1_w1.h"
#include "Vbox_n8_s1_w1.h"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

namespace {

template <class M, unsigned N>
struct Box {
  using Model = M;
  static constexpr unsigned kSize = N;
};

/// How often each input is accepted while the inputs of `set`, and no others, ask for output 0 all
/// the time, over all numbers of the LFSR. With room for one packet a box accepts in every second
/// cycle, and draws in each: twice the odd period uses every number once for an acceptance.
template <class T>
std::vector<unsigned> shares(unsigned set, std::uint64_t seed) {
  constexpr unsigned n = T::kSize;
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
                   "[rtl][esc]", (Box<Vbox_n2_s1_w1, 2>), (Box<Vbox_n4_s1_w1, 4>),
                   (Box<Vbox_n8_s1_w1, 8>)) {
  constexpr unsigned n = TestType::kSize;
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
