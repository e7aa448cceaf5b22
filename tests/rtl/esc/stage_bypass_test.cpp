// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "Vbypass_n2_w1.h"
#include "Vbypass_n4_w64.h"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

namespace {

template <class M, unsigned N, unsigned W>
struct Bypass {
  using Model = M;
  static constexpr unsigned kSize = N, kWidth = W;
};

}  // namespace

TEMPLATE_TEST_CASE("a bypass leads through the box or past it", "[rtl][esc]",
                   (Bypass<Vbypass_n2_w1, 2, 1>), (Bypass<Vbypass_n4_w64, 4, 64>)) {
  constexpr unsigned n = TestType::kSize, bits = n * TestType::kWidth;
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
