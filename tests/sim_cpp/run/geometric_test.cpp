// SPDX-License-Identifier: Apache-2.0
#include "run/geometric.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "support/seed.hpp"

namespace muster::run {
namespace {

TEST_CASE("gaps have the distribution of Bernoulli trials", "[workload][geometric]") {
  const double p = GENERATE(1.0, 0.9, 0.5, 0.1, 0.0125);
  const std::uint64_t seed = muster_seed();
  CAPTURE(p, seed);
  const Geometric gap(p);
  Rng rng(seed);
  constexpr int kDraws = 200'000;
  std::map<std::uint64_t, int> counts;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t g = gap(rng);
    ++counts[g];
    sum += static_cast<double>(g);
  }
  CHECK(counts.begin()->first >= 1);
  const double mean = 1 / p, deviation = std::sqrt(1 - p) / p / std::sqrt(kDraws);
  CHECK(std::abs(sum / kDraws - mean) <= 5 * deviation);
  for (std::uint64_t g = 1; g <= 8; ++g) {  // P(gap = g) = q^(g-1) p
    const double expected = kDraws * p * std::pow(1 - p, double(g - 1));
    CHECK(std::abs(counts[g] - expected) <= 5 * std::sqrt(expected) + 1e-9);
  }
}

TEST_CASE("a trial that always succeeds has no gap, and takes no random numbers",
          "[workload][geometric]") {
  const Geometric gap(1.0);
  Rng rng(7), untouched(7);
  for (int i = 0; i < 100; ++i) CHECK(gap(rng) == 1);
  CHECK(rng.next() == untouched.next());
}

TEST_CASE("gaps follow from the random numbers, as many for each", "[workload][geometric]") {
  // Two processes of one probability and stream stay in step, gap by gap.
  const Geometric one(0.3), other(0.3);
  Rng a(5), b(5);
  for (int i = 0; i < 1000; ++i) REQUIRE(one(a) == other(b));
  CHECK(a.next() == b.next());
}

TEST_CASE("rare events stay rare", "[workload][geometric]") {
  const Geometric gap(1e-7);
  Rng rng(1);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) sum += static_cast<double>(gap(rng));
  CHECK(sum / 10'000 == Approx(1e7).epsilon(0.05));
}

}  // namespace
}  // namespace muster::run
