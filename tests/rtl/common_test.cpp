// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "Vfifo_w16_d4.h"
#include "Vfifo_w1_d1.h"
#include "Vfifo_w256_d3.h"
#include "Vfifo_w33_d5.h"
#include "Vfifo_w7_d64.h"
#include "Vlfsr_all.h"
#include "Vrr_arbiter_n1.h"
#include "Vrr_arbiter_n16.h"
#include "Vrr_arbiter_n2.h"
#include "Vrr_arbiter_n5.h"
#include "Vrr_arbiter_n64.h"
#include "muster/core/error.hpp"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

namespace {

/// Of a FIFO.
template <class T>
constexpr unsigned kWidth = T::kSizes[0];
template <class T>
constexpr unsigned kDepth = T::kSizes[1];

/// How often a push and a pop are tried, in percent.
struct Rates {
  unsigned push;
  unsigned pop;
};

template <class T>
void check_outputs(Clocked<typename T::Model>& dut, const std::deque<Word>& expected) {
  REQUIRE(dut->empty_o == expected.empty());
  REQUIRE(dut->full_o == (expected.size() == kDepth<T>));
  if (!expected.empty()) REQUIRE(get(dut->data_o) == expected.front());
}

}  // namespace

TEMPLATE_TEST_CASE("a FIFO gives back what was pushed, in order, from the next cycle on",
                   "[rtl][fifo]", (Sized<Vfifo_w1_d1, 1, 1>), (Sized<Vfifo_w16_d4, 16, 4>),
                   (Sized<Vfifo_w256_d3, 256, 3>), (Sized<Vfifo_w33_d5, 33, 5>),
                   (Sized<Vfifo_w7_d64, 7, 64>)) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  Clocked<typename TestType::Model> dut(seed);
  std::deque<Word> expected;

  for (const Rates rates : {Rates{0, 0}, Rates{100, 0}, Rates{100, 100}, Rates{0, 100},
                            Rates{50, 50}, Rates{90, 30}, Rates{30, 90}, Rates{100, 100}}) {
    for (int cycle = 0; cycle < 400; ++cycle) {
      const bool push = expected.size() < kDepth<TestType> && rng.below(100) < rates.push;
      const bool pop = !expected.empty() && rng.below(100) < rates.pop;
      const Word word = random_word(rng, kWidth<TestType>);
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
                   (Sized<Vfifo_w1_d1, 1, 1>), (Sized<Vfifo_w33_d5, 33, 5>)) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Clocked<typename TestType::Model> dut(seed);
  for (unsigned fill = 1; fill <= kDepth<TestType>; ++fill) {
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

namespace {

/// Exponents of the polynomials in the header of lfsr.sv, from width 3 on.
const std::vector<std::vector<unsigned>> kExponents = {
    {3, 2},        {4, 3},          {5, 3},   {6, 5},           {7, 6},        {8, 6, 5, 4},
    {9, 5},        {10, 7},         {11, 9},  {12, 6, 4, 1},    {13, 4, 3, 1}, {14, 5, 3, 1},
    {15, 14},      {16, 15, 13, 4}, {17, 14}, {18, 11},         {19, 6, 2, 1}, {20, 17},
    {21, 19},      {22, 21},        {23, 18}, {24, 23, 22, 17}, {25, 22},      {26, 6, 2, 1},
    {27, 5, 2, 1}, {28, 25},        {29, 27}, {30, 6, 4, 1},    {31, 28},      {32, 22, 2, 1}};

std::uint32_t taps(unsigned width) {
  std::uint32_t mask = 0;
  for (const unsigned k : kExponents.at(width - 3)) mask |= 1u << (k - 1);
  return mask;
}

std::uint32_t step(std::uint32_t value, unsigned width) {
  return (value >> 1) ^ ((value & 1) ? taps(width) : 0);
}

/// a * b modulo the polynomial of `width`, over GF(2).
std::uint64_t multiply(std::uint64_t a, std::uint64_t b, unsigned width) {
  const std::uint64_t polynomial = (std::uint64_t{taps(width)} << 1) | 1;
  std::uint64_t product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a <<= 1;
    if ((a >> width) & 1) a ^= polynomial;
  }
  return product;
}

std::uint64_t x_to_the(std::uint64_t exponent, unsigned width) {
  std::uint64_t result = 1;
  for (std::uint64_t power = 2; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, power, width);
    power = multiply(power, power, width);
  }
  return result;
}

std::vector<std::uint64_t> prime_factors(std::uint64_t n) {
  std::vector<std::uint64_t> factors;
  for (std::uint64_t p = 2; p * p <= n; ++p) {
    if (n % p != 0) continue;
    factors.push_back(p);
    while (n % p == 0) n /= p;
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

}  // namespace

TEST_CASE("an LFSR of any width follows the equation of its header and steps only when told",
          "[rtl][lfsr]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  Clocked<Vlfsr_all> dut(seed);
  std::vector<std::uint32_t> expected(30);
  for (unsigned w = 3; w <= 32; ++w) expected[w - 3] = w - 2;

  for (int cycle = 0; cycle < 5000; ++cycle) {
    const bool step_now = rng.below(100) < (cycle < 2500 ? 40 : 100);
    dut->step_i = step_now;
    dut.settle();
    for (unsigned w = 3; w <= 32; ++w) {
      CAPTURE(cycle, w);
      REQUIRE(dut->values_o[w - 3] == expected[w - 3]);
    }
    dut.edge();
    if (step_now)
      for (unsigned w = 3; w <= 32; ++w) expected[w - 3] = step(expected[w - 3], w);
  }
}

TEST_CASE("an LFSR takes the seed 0 as 1", "[rtl][lfsr]") {
  Clocked<Vlfsr_all> dut(muster_seed());
  dut->seed_zero_i = 1;
  dut->step_i = 1;
  dut.reset();
  dut.settle();
  for (unsigned w = 3; w <= 32; ++w) CHECK(dut->values_o[w - 3] == 1);
  dut.edge();
  dut->seed_zero_i = 0;
  dut.settle();
  for (unsigned w = 3; w <= 32; ++w) CHECK(dut->values_o[w - 3] == taps(w));
}

TEST_CASE("an LFSR up to 14 bits shows every value but zero once in a period", "[rtl][lfsr]") {
  Clocked<Vlfsr_all> dut(muster_seed());
  dut->step_i = 1;
  std::vector<std::vector<unsigned>> seen(30);
  for (unsigned w = 3; w <= 14; ++w) seen[w - 3].assign(std::size_t{1} << w, 0);
  for (unsigned cycle = 0; cycle < (1u << 14) - 1; ++cycle) {
    dut.settle();
    for (unsigned w = 3; w <= 14; ++w)
      if (cycle < (1u << w) - 1) ++seen[w - 3][dut->values_o[w - 3]];
    dut.edge();
  }
  for (unsigned w = 3; w <= 14; ++w) {
    CAPTURE(w);
    REQUIRE(seen[w - 3][0] == 0);
    for (std::size_t value = 1; value < seen[w - 3].size(); ++value)
      REQUIRE(seen[w - 3][value] == 1);
  }
}

TEST_CASE("the polynomial of every width is primitive", "[rtl][lfsr]") {
  for (unsigned w = 3; w <= 32; ++w) {
    CAPTURE(w);
    const std::uint64_t period = (std::uint64_t{1} << w) - 1;
    REQUIRE(x_to_the(period, w) == 1);
    for (const std::uint64_t p : prime_factors(period)) REQUIRE(x_to_the(period / p, w) != 1);
  }
}

namespace {

/// The specification of rr_arbiter.sv: a pointer and a search.
class Reference {
 public:
  explicit Reference(unsigned n) : n_(n) {}
  /// Index granted, or n for none.
  unsigned grant(std::uint64_t requests) const {
    for (unsigned i = 0; i < n_; ++i) {
      const unsigned candidate = (pointer_ + i) % n_;
      if ((requests >> candidate) & 1) return candidate;
    }
    return n_;
  }
  void take(unsigned granted) { pointer_ = (granted + 1) % n_; }
  void reset() { pointer_ = 0; }

 private:
  unsigned n_;
  unsigned pointer_ = 0;
};

std::uint64_t random_requests(Rng& rng, unsigned n, unsigned percent) {
  std::uint64_t requests = 0;
  for (unsigned i = 0; i < n; ++i)
    requests |= static_cast<std::uint64_t>(rng.below(100) < percent) << i;
  return requests;
}

}  // namespace

TEMPLATE_TEST_CASE("a round-robin arbiter grants the first request at or after its pointer",
                   "[rtl][arbiter]", (Sized<Vrr_arbiter_n1, 1>), (Sized<Vrr_arbiter_n2, 2>),
                   (Sized<Vrr_arbiter_n5, 5>), (Sized<Vrr_arbiter_n16, 16>),
                   (Sized<Vrr_arbiter_n64, 64>)) {
  constexpr unsigned n = TestType::kSizes[0];
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed, n);
  Rng rng(seed);
  Clocked<typename TestType::Model> dut(seed);
  Reference reference(n);

  for (const unsigned density : {0u, 3u, 20u, 50u, 100u}) {
    for (const unsigned take_rate : {0u, 30u, 100u}) {
      for (int cycle = 0; cycle < 300; ++cycle) {
        if (rng.below(200) == 0) {
          dut.reset();
          reference.reset();
        }
        const std::uint64_t requests = random_requests(rng, n, density);
        const bool take = rng.below(100) < take_rate;
        const unsigned winner = reference.grant(requests);
        const std::uint64_t expected = winner == n ? 0 : std::uint64_t{1} << winner;
        put(dut->req_i, requests);
        for (const bool either : {!take, take}) {
          dut->take_i = either;
          dut.settle();
          REQUIRE(std::uint64_t{dut->grant_o} == expected);
        }
        dut.edge();
        if (take && winner != n) reference.take(winner);
      }
    }
  }
}

TEMPLATE_TEST_CASE("a request that stays is granted after at most N - 1 others", "[rtl][arbiter]",
                   (Sized<Vrr_arbiter_n2, 2>), (Sized<Vrr_arbiter_n5, 5>),
                   (Sized<Vrr_arbiter_n64, 64>)) {
  constexpr unsigned n = TestType::kSizes[0];
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed, n);
  Rng rng(seed);
  Clocked<typename TestType::Model> dut(seed);
  for (int round = 0; round < 200; ++round) {
    const unsigned patient = static_cast<unsigned>(rng.below(n));
    const std::uint64_t mine = std::uint64_t{1} << patient;
    unsigned others = 0;
    for (bool granted = false; !granted;) {
      put(dut->req_i, random_requests(rng, n, 90) | mine);
      dut->take_i = rng.below(4) != 0;
      dut.settle();
      granted = std::uint64_t{dut->grant_o} == mine && dut->take_i;
      if (dut->take_i && !granted) ++others;
      dut.edge();
      REQUIRE(others <= n - 1);
    }
  }
}
