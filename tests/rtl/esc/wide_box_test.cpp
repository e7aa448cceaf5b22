// SPDX-License-Identifier: Apache-2.0
#include "Vbox_n2_s3_w256.h"
#include "rtl/clocked.hpp"

using namespace muster;
using namespace muster::test;

TEST_CASE("a box keeps packets of 256 bits whole and in order", "[rtl][esc]") {
  const std::uint64_t seed = muster_seed();
  Random rng(seed);
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
