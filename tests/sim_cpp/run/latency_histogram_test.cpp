// SPDX-License-Identifier: Apache-2.0
#include "run/latency_histogram.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "muster/core/rng.hpp"
#include "support/seed.hpp"

using namespace muster;
using run::LatencyHistogram;

namespace {

std::uint64_t sorted_percentile(const std::vector<std::uint64_t>& sorted, std::uint64_t percent) {
  std::size_t at = 0;
  while (100 * (at + 1) < percent * sorted.size()) ++at;
  return sorted[at];
}

}  // namespace

TEST_CASE("a percentile is the least latency that so many percent do not exceed",
          "[workload][traffic]") {
  LatencyHistogram one;
  one.add(17);
  CHECK(one.percentile(1) == 17);
  CHECK(one.percentile(100) == 17);
  LatencyHistogram hundred;
  for (std::uint64_t latency = 1; latency <= 100; ++latency) hundred.add(latency);
  CHECK(hundred.percentile(50) == 50);
  CHECK(hundred.percentile(95) == 95);
  CHECK(hundred.percentile(99) == 99);
  hundred.add(8191);
  CHECK(hundred.percentile(50) == 51);
  CHECK(hundred.percentile(100) == 8191);
}

TEST_CASE("percentiles are those of sorted latencies, above 8191 up to 1/4096 more",
          "[workload][traffic]") {
  CAPTURE(muster_seed());
  Rng rng(muster_seed(), 31);
  for (int round = 0; round < 50; ++round) {
    const unsigned bits = 1 + static_cast<unsigned>(rng.below(40));
    LatencyHistogram histogram;
    std::vector<std::uint64_t> all;
    for (std::uint64_t left = 1 + rng.below(400); left != 0; --left) {
      all.push_back((rng.next() >> 24) >> (40 - bits));
      histogram.add(all.back());
    }
    std::sort(all.begin(), all.end());
    for (const std::uint64_t percent : {1u, 50u, 95u, 99u, 100u}) {
      const std::uint64_t exact = sorted_percentile(all, percent);
      const std::uint64_t found = histogram.percentile(percent);
      CAPTURE(bits, all.size(), percent);
      REQUIRE(found >= exact);
      REQUIRE(found - exact <= (exact < 8192 ? 0 : exact / 4096));
    }
  }
}
