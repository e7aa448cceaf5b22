// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>

#include "Vfifo_w16_d4.h"
#include "Vfifo_w1_d1.h"
#include "Vfifo_w256_d3.h"
#include "Vfifo_w33_d5.h"
#include "Vfifo_w7_d64.h"
#include "muster/core/error.hpp"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

namespace {

template <class M, unsigned W, unsigned D>
struct Fifo {
  using Model = M;
  static constexpr unsigned kWidth = W;
  static constexpr unsigned kDepth = D;
};

/// How often a push and a pop are tried, in percent.
struct Rates {
  unsigned push;
  unsigned pop;
};

template <class T>
void check_outputs(Clocked<typename T::Model>& dut, const std::deque<Word>& expected) {
  REQUIRE(dut->empty_o == expected.empty());
  REQUIRE(dut->full_o == (expected.size() == T::kDepth));
  if (!expected.empty()) REQUIRE(get(dut->data_o) == expected.front());
}

}  // namespace

TEMPLATE_TEST_CASE("a FIFO gives back what was pushed, in order, from the next cycle on",
                   "[rtl][fifo]", (Fifo<Vfifo_w1_d1, 1, 1>), (Fifo<Vfifo_w16_d4, 16, 4>),
                   (Fifo<Vfifo_w256_d3, 256, 3>), (Fifo<Vfifo_w33_d5, 33, 5>),
                   (Fifo<Vfifo_w7_d64, 7, 64>)) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  Clocked<typename TestType::Model> dut(seed);
  std::deque<Word> expected;

  for (const Rates rates : {Rates{0, 0}, Rates{100, 0}, Rates{100, 100}, Rates{0, 100},
                            Rates{50, 50}, Rates{90, 30}, Rates{30, 90}, Rates{100, 100}}) {
    for (int cycle = 0; cycle < 400; ++cycle) {
      const bool push = expected.size() < TestType::kDepth && rng.below(100) < rates.push;
      const bool pop = !expected.empty() && rng.below(100) < rates.pop;
      const Word word = random_word(rng, TestType::kWidth);
      dut->push_i = push;
      dut->pop_i = pop;
      put(dut->data_i, word);
      dut.settle();
      check_outputs<TestType>(dut, expected);
      dut.edge();
      if (pop) expected.pop_front();
      if (push) expected.push_back(word);
    }
  }
}

TEMPLATE_TEST_CASE("a FIFO is empty after a reset at any moment", "[rtl][fifo]",
                   (Fifo<Vfifo_w1_d1, 1, 1>), (Fifo<Vfifo_w33_d5, 33, 5>)) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Clocked<typename TestType::Model> dut(seed);
  for (unsigned fill = 1; fill <= TestType::kDepth; ++fill) {
    for (unsigned i = 0; i < fill; ++i) {
      dut->push_i = 1;
      dut->pop_i = 0;
      dut.settle();
      dut.edge();
    }
    dut->push_i = 0;
    dut.settle();
    REQUIRE(!dut->empty_o);
    dut.reset();
    dut.settle();
    check_outputs<TestType>(dut, {});
  }
}

TEST_CASE("a FIFO asserts that its caller neither overfills nor underruns it", "[rtl][fifo]") {
  Clocked<Vfifo_w16_d4> dut(muster_seed());
  SECTION("pop when empty") {
    dut->push_i = 0;
    dut->pop_i = 1;
    dut.settle();
    REQUIRE_THROWS_WITH(dut.edge(), Catch::Contains("dut.fifo.PopHasWord_A"));
  }
  SECTION("push when full, even with a pop") {
    dut->push_i = 1;
    dut->pop_i = 0;
    for (int i = 0; i < 4; ++i) {
      dut.settle();
      dut.edge();
    }
    dut->pop_i = 1;
    dut.settle();
    REQUIRE_THROWS_WITH(dut.edge(), Catch::Contains("dut.fifo.PushHasRoom_A"));
  }
}
