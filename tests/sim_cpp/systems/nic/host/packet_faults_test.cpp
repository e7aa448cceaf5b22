// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/host/packet_faults.hpp"

#include <bit>
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "support/seed.hpp"
#include "systems/nic/blocks/nic_message.hpp"

namespace muster::nic {
namespace {

using core::Flit;

std::vector<Flit> packet(std::uint8_t number) {
  const auto flits = nic::nic_flits({.source = 1, .destination = 2, .barrier = number}, 0);
  return {flits.begin(), flits.end()};
}

/// Numbers of the packets that come out if packet i is put in in cycle 10 i, 0 to 199.
std::vector<int> through(const FaultRates& rates, FaultCounts& counts) {
  PacketFaults link(rates, muster_seed(), 0);
  std::vector<int> out;
  for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle) {
    if (cycle % 10 == 0 && cycle < 2000)
      link.put(cycle, packet(static_cast<std::uint8_t>(cycle / 10)));
    while (const auto flits = link.take(cycle)) {
      const auto message = nic::nic_message(*flits);
      out.push_back(message ? message->barrier : -1);
    }
  }
  CHECK(link.empty());
  CHECK(link.counts().packets == 200);
  counts = link.counts();
  return out;
}

TEST_CASE("a link without faults passes all packets in order", "[nic]") {
  FaultCounts counts;
  const std::vector<int> out = through({}, counts);
  REQUIRE(out.size() == 200);
  for (int i = 0; i < 200; ++i) CHECK(out[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("each fault does what it is called and is counted", "[nic]") {
  FaultCounts counts;
  std::vector<int> out = through({.drop = 0.5}, counts);
  CHECK(out.size() == 200 - counts.dropped);
  CHECK((counts.dropped > 60 && counts.dropped < 140));

  out = through({.duplicate = 0.5}, counts);
  CHECK(out.size() == 200 + counts.duplicated);
  CHECK(counts.duplicated > 60);

  out = through({.delay = 0.5, .longest_delay = 100}, counts);
  CHECK(out.size() == 200);
  CHECK(std::is_sorted(out.begin(), out.end()));
  CHECK(counts.delayed > 60);

  out = through({.reorder = 0.5, .longest_delay = 100}, counts);
  CHECK(out.size() == 200);
  CHECK_FALSE(std::is_sorted(out.begin(), out.end()));
  CHECK(counts.reordered > 60);

  out = through({.corrupt = 0.5}, counts);
  CHECK(out.size() == 200);
  CHECK(static_cast<std::uint64_t>(std::count(out.begin(), out.end(), -1)) == counts.corrupted);
  CHECK(counts.corrupted > 60);
}

TEST_CASE("damage is 1 to 3 bits of the payload and nothing else", "[nic]") {
  PacketFaults link({.corrupt = 1.0}, muster_seed(), 0);
  std::uint32_t seen = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<Flit> good = packet(7);
    link.put(0, good);
    const auto bad = link.take(0);
    REQUIRE(bad);
    int flips = 0;
    for (std::size_t f = 0; f < good.size(); ++f) {
      flips += std::popcount(good[f].lo ^ (*bad)[f].lo);
      CHECK(((*bad)[f].kind == good[f].kind && (*bad)[f].vc == good[f].vc));
      CHECK((*bad)[f].lo < 1u << 16);
    }
    CHECK((flips >= 1 && flips <= 3));
    seen |= 1u << flips;
  }
  CHECK(seen == 0b1110);
}

TEST_CASE("rates that are none are refused", "[nic]") {
  CHECK_THROWS_AS(validate(FaultRates{.drop = -0.1}), InputError);
  CHECK_THROWS_AS(validate(FaultRates{.corrupt = 1.5}), InputError);
  CHECK_THROWS_AS(validate(FaultRates{.longest_delay = 0}), InputError);
  CHECK_THROWS_AS(validate(FaultRates{.delay = std::nan("")}), InputError);
}

}  // namespace
}  // namespace muster::nic
