// SPDX-License-Identifier: Apache-2.0
#include "bench/hop_latency.hpp"

#include <catch2/catch.hpp>

#include "muster/run/golden_engine.hpp"

namespace muster::bench {

TEST_CASE("unloaded, a barrier message takes L + 1 cycles a hop, a data head L + 3", "[bench]") {
  const std::uint32_t latency = GENERATE(1, 2, 3, 4, 17, 255);
  CAPTURE(latency);
  const HopLatency hops = hop_latency(*run::make_golden_engine(), latency);
  CHECK(hops.barrier == latency + 1);
  CHECK(hops.data == latency + 3);
}

}  // namespace muster::bench
