// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/scheme/fault_curve.hpp"

#include <catch2/catch.hpp>

#include "support/seed.hpp"
#include "systems/esc/scheme/fault_routing.hpp"
#include "systems/esc/scheme/reachability.hpp"

using namespace muster;
using namespace muster::esc;

namespace {

const std::vector<std::uint32_t> kCounts = {0, 1, 2, 4, 16};

std::vector<double> connected(const esc::Cube& cube, esc::FaultyNetwork network) {
  std::vector<double> means;
  for (const esc::FaultPoint& p : esc::fault_curve(cube, network, kCounts, 200, muster_seed()))
    means.push_back(*p.connected.mean());
  return means;
}

}  // namespace

TEST_CASE("connected pairs fall with every fault, later in the Extra Stage Cube", "[esc][faults]") {
  for (const auto& [pes, n] : {std::pair{16u, 2u}, {64u, 4u}}) {
    const auto esc = connected(esc::Cube(pes, n), esc::FaultyNetwork::kExtraStageCube);
    const auto plain = connected(esc::Cube(pes, n), esc::FaultyNetwork::kMultistageCube);
    CHECK(esc[0] == 1);
    CHECK(esc[1] == 1);
    CHECK(plain[0] == 1);
    for (std::size_t k = 1; k < kCounts.size(); ++k) {
      CHECK(esc[k] > plain[k]);
      CHECK(plain[k] < plain[k - 1]);
      if (k > 1) CHECK(esc[k] < esc[k - 1]);
    }
  }
}

TEST_CASE("one fault of the multistage cube costs the pairs that its part serves",
          "[esc][faults]") {
  // 8 PEs, 3 stages of 4 boxes with 16 pairs each and 4 rows of 8 links with 8 pairs each.
  const std::vector<std::uint32_t> one = {1};
  const auto curve =
      esc::fault_curve(esc::Cube(8, 2), esc::FaultyNetwork::kMultistageCube, one, 20000, 1);
  const double expected = (12 * 48 + 32 * 56) / 44.0 / 64;
  CHECK(std::abs(*curve[0].connected.mean() - expected) < 2 * *curve[0].connected.half_width());
  CHECK(*curve[0].whole.mean() == 0);
}

TEST_CASE("each fault of the multistage cube alone leaves as many pairs as counted by hand",
          "[esc][faults]") {
  const esc::Cube cube(64, 4);
  const esc::OuterStages normal{.input = false, .output = true};
  const auto left = [&](const char* fault) {
    return esc::connected_pairs(cube, normal, std::vector{esc::fault_named(fault)});
  };
  CHECK(left("box:2:3") == 4096 - 256);  // 4 sources, 64 destinations
  CHECK(left("box:1:3") == 4096 - 256);
  CHECK(left("box:0:3") == 4096 - 256);
  CHECK(left("box:3:3") == 4096);
  CHECK(left("link:3:17") == 4096 - 64);
  CHECK(left("link:2:17") == 4096 - 64);
  CHECK(left("link:0:17") == 4096 - 64);
  CHECK(left("bypass:3:17") == 4096 - 64);
  CHECK(left("bypass:0:17") == 4096);
  CHECK(esc::connected_pairs(cube, {.input = false, .output = false}, {}) == 64 * 16);
}
