// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "Vadaptive_n2.h"
#include "Vadaptive_n4.h"
#include "Vadaptive_n8.h"
#include "Vthrottle_turns4.h"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

namespace {

template <class M, unsigned N>
struct Choice {
  using Model = M;
  static constexpr unsigned kSize = N;
};

}  // namespace

TEMPLATE_TEST_CASE("the adaptive choice is the emptiest buffer, its own first", "[rtl][esc]",
                   (Choice<Vadaptive_n2, 2>), (Choice<Vadaptive_n4, 4>),
                   (Choice<Vadaptive_n8, 8>)) {
  constexpr unsigned n = TestType::kSize;
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
