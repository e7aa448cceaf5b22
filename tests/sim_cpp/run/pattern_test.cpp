// SPDX-License-Identifier: Apache-2.0
#include "muster/run/pattern.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "support/seed.hpp"

namespace muster::run {
namespace {

TEST_CASE("of two nodes each sends to the other", "[run][pattern]") {
  const Uniform pattern(2);
  Rng rng(muster_seed());
  for (int i = 0; i < 100; ++i) {
    CHECK(pattern.destination(0, rng) == 1);
    CHECK(pattern.destination(1, rng) == 0);
  }
}

TEST_CASE("every other node is a destination as often, the source never", "[run][pattern]") {
  const std::uint64_t seed = muster_seed();
  constexpr std::uint32_t kNodes = 7, kEach = 5000;
  const std::uint32_t source = GENERATE(0u, 3u, 6u);  // first, in the middle, last
  CAPTURE(seed, source);
  const Uniform pattern(kNodes);
  Rng rng(seed, source);
  std::vector<std::uint32_t> counts(kNodes, 0);
  for (std::uint32_t i = 0; i < kEach * (kNodes - 1); ++i)
    ++counts.at(pattern.destination(source, rng));
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    CAPTURE(n);
    if (n == source)
      CHECK(counts[n] == 0);
    else
      CHECK(std::abs(double(counts[n]) - kEach) < 6 * std::sqrt(double(kEach)));
  }
}

TEST_CASE("destinations follow from the random numbers only", "[run][pattern]") {
  const Uniform pattern(1000), same(1000);
  Rng a(9), b(9), c(10);
  int different = 0;
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t to = pattern.destination(500, a);
    CHECK(same.destination(500, b) == to);
    different += pattern.destination(500, c) != to;
  }
  CHECK(different > 150);
}

}  // namespace
}  // namespace muster::run
