// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/btin_latency.hpp"

#include <catch2/catch.hpp>

using namespace muster;

using btin::btin_latency_ns;

TEST_CASE("The paper's latency is 5.88 us and 0.64 us for each level of the tree", "[btin]") {
  for (std::uint64_t height : {0, 1, 2, 6, 9, 1000})
    CHECK(btin::btin_latency_ns(height) == 5880 + 640 * height);
  CHECK(btin::btin_latency_ns(2) == 7160);  // Figure 1
}

TEST_CASE("Each delay counts as often as the message meets it", "[btin]") {
  // Height 3: five links, four switches and two network interfaces, each way.
  CHECK(btin::btin_latency_ns(3, {.startup_ns = 1, .link_ns = 0, .router_ns = 0}) == 2);
  CHECK(btin_latency_ns(3, {.startup_ns = 0, .link_ns = 1, .router_ns = 0}) == 10);
  CHECK(btin_latency_ns(3, {.startup_ns = 0, .link_ns = 0, .router_ns = 1}) == 12);
}
