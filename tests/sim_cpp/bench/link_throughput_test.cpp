// SPDX-License-Identifier: Apache-2.0
#include "bench/link_throughput.hpp"

#include <catch2/catch.hpp>

#include "muster/run/golden_engine.hpp"

namespace muster::bench {

TEST_CASE("a link carries depth / (2L + 2) flits a cycle between nodes, at most 1", "[bench]") {
  const std::uint32_t latency = GENERATE(1, 2, 3, 4, 6);
  const std::uint32_t depth = GENERATE(1, 2, 4, 5, 6, 7, 8, 11, 16);
  CAPTURE(latency, depth);
  const LinkThroughput row = link_throughput(*run::make_golden_engine(), latency, depth);
  CHECK(row.latency == latency);
  CHECK(row.depth == depth);
  CHECK(row.measured == Approx(depth < 2 * latency + 2 ? double(depth) / (2 * latency + 2) : 1.0));
  CHECK(row.measured == row.expected);
}

}  // namespace muster::bench
