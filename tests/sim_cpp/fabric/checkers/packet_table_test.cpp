// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/packet_table.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "muster/core/rng.hpp"
#include "support/seed.hpp"

namespace muster::checkers {
namespace {

TEST_CASE("the table of travelling packets behaves like a queue for each flow",
          "[checkers][packet_table]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  PacketTable table(3, 2);
  using Flow = std::array<std::uint32_t, 3>;
  std::map<Flow, std::deque<std::uint64_t>> model;
  std::map<Flow, std::uint16_t> sent;
  std::size_t count = 0;
  for (std::uint64_t cycle = 0; cycle < 20000; ++cycle) {
    const Flow flow{static_cast<std::uint32_t>(rng.below(3)),
                    static_cast<std::uint32_t>(rng.below(3)),
                    static_cast<std::uint32_t>(rng.below(2))};
    const auto vc = static_cast<std::uint8_t>(flow[2]);
    auto& queue = model[flow];
    // Fills for a while, then empties for a while.
    if (rng.below(3) < (cycle / 1000 % 2 ? 1u : 2u)) {
      const auto h = table.add(flow[0], flow[1], vc, cycle);
      REQUIRE(table[h].sequence == sent[flow]++);
      queue.push_back(cycle);
      ++count;
    } else if (!queue.empty()) {
      table.remove_oldest(flow[0], flow[1], vc);
      queue.pop_front();
      --count;
    }
    const auto h = table.oldest_of(flow[0], flow[1], vc);
    REQUIRE((h == PacketTable::kNone) == queue.empty());
    if (!queue.empty()) REQUIRE(table[h].injected == queue.front());
    REQUIRE(table.size() == count);
    std::uint64_t oldest = ~std::uint64_t{0};
    for (const auto& [key, cycles] : model)
      if (!cycles.empty()) oldest = std::min(oldest, cycles.front());
    REQUIRE((table.oldest() == PacketTable::kNone) == (count == 0));
    if (count) REQUIRE(table[table.oldest()].injected == oldest);
  }
}

}  // namespace
}  // namespace muster::checkers
