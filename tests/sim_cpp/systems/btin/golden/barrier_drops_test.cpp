// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

using fabric::MessageType;

constexpr std::uint32_t kMalformed = 1, kUnknown = 1u << 8, kWrongPort = 1u << 16,
                        kOutOfPhase = 1u << 24;

/// Drops counted at `port` after a message, and that it is taken at once and leaves no other trace.
std::uint32_t drops_of(SwitchBench& bench, std::uint32_t port, const core::Flit& flit,
                       std::uint8_t vc = 0) {
  const std::uint32_t before = bench.read(0x010 + port);
  bench.send(port, flit, vc);
  bench.step();
  CHECK(bench.credits() == 0);
  const std::uint32_t counted = bench.read(0x010 + port) - before;
  bench.step(3);
  CHECK(bench.outputs() == 0);
  return counted;
}

TEST_CASE("a malformed message is dropped", "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 2));
  bench.load(0, 7, 0b0011, 3);
  const auto of_type = [&](int type) {
    return bench.formats.barrier_flit({static_cast<MessageType>(type), 7, {}}, 0);
  };
  CHECK(drops_of(bench, 0, of_type(2)) == kMalformed);
  CHECK(drops_of(bench, 0, of_type(3)) == kMalformed);
  CHECK(bench.arrived(0) == 0);
  CHECK(drops_of(bench, 0, of_type(0), 1) == 0);  // a virtual channel means nothing
  CHECK(bench.arrived(0) == 0b0001);
}

TEST_CASE("a message for a group that no valid register has is dropped",
          "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 1));
  CHECK(drops_of(bench, 1, bench.reduction(0)) == kUnknown);  // empty registers are not group 0
  bench.load(0, 7, 0b0011, 3);
  CHECK(drops_of(bench, 1, bench.distribution(8)) == kUnknown);
  bench.write(0x040, 7);  // no longer valid
  CHECK(drops_of(bench, 1, bench.reduction(7)) == kUnknown);
}

TEST_CASE("a message at a port that is neither child nor parent is dropped",
          "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 1));
  bench.load(0, 7, 0b0011, 3);
  CHECK(drops_of(bench, 2, bench.reduction(7)) == kWrongPort);
  CHECK(drops_of(bench, 3, bench.reduction(7)) == kWrongPort);
  CHECK(drops_of(bench, 2, bench.distribution(7)) == kWrongPort);
  CHECK(drops_of(bench, 0, bench.distribution(7)) == kWrongPort);
  bench.load(1, 8, 0b0011, 3, true);
  CHECK(drops_of(bench, 3, bench.distribution(8)) == kWrongPort);  // it has none
}

TEST_CASE("a message in the wrong phase is dropped", "[golden][barrier][drop]") {
  SwitchBench bench(sw(4, 1, 1));
  bench.load(0, 7, 0b0011, 3);
  CHECK(drops_of(bench, 3, bench.distribution(7)) == kOutOfPhase);  // nothing sent yet
  CHECK(drops_of(bench, 0, bench.reduction(7)) == 0);
  CHECK(drops_of(bench, 0, bench.reduction(7)) == kOutOfPhase);  // twice
  CHECK(drops_of(bench, 3, bench.distribution(7)) == kOutOfPhase);
  bench.send(1, bench.reduction(7));
  bench.step(5);
  REQUIRE(bench.sent(0));
  CHECK(drops_of(bench, 1, bench.reduction(7)) == kOutOfPhase);
}

TEST_CASE("a reduction is out of phase until the release of its port has left",
          "[golden][barrier][drop]") {
  SwitchBench bench(with_pockets(sw(4, 1, 1)));
  bench.load(0, 7, 0b0001, 3, true);
  bench.send(0, bench.reduction(7));
  bench.step(2);
  REQUIRE(bench.outputs() == 0b0001);  // takes the only credit of port 0's pocket
  bench.step();
  bench.send(0, bench.reduction(7));
  bench.step(2);
  REQUIRE(bench.to_serve(0) == 0b0001);
  bench.send(0, bench.reduction(7));
  bench.step();
  CHECK(bench.read(0x010) == kOutOfPhase);

  // The release goes in the very cycle in which the next reduction comes: the state at the
  // beginning of that cycle decides.
  bench.free_pocket(0);
  bench.step();
  bench.send(0, bench.reduction(7));
  bench.step();
  CHECK(bench.outputs() == 0b0001);
  CHECK(bench.read(0x010) == 2 * kOutOfPhase);
  CHECK(bench.arrived(0) == 0);
  // One cycle later it is accepted.
  bench.free_pocket(0);
  bench.send(0, bench.reduction(7));
  bench.step(2);
  CHECK(bench.outputs() == 0b0001);
  CHECK(bench.read(0x010) == 2 * kOutOfPhase);
}

TEST_CASE("a drop counter stops at 15 and leaves its neighbours alone", "[golden][barrier][drop]") {
  SwitchBench bench(sw(3, 1, 1, 1));
  for (int n = 0; n < 20; ++n, bench.step(2)) bench.send(2, bench.reduction(9));
  bench.step(3);
  CHECK(bench.read(0x012) == 15 * kUnknown);
  CHECK(bench.read(0x011) == 0);
}

TEST_CASE("ports do not disturb each other in one cycle", "[golden][barrier][drop]") {
  SwitchBench bench(sw(6, 1));
  bench.load(0, 1, 0b000011, 5);
  bench.load(1, 2, 0b000100, 5);
  bench.send(0, bench.reduction(1, 1));
  bench.send(1, bench.reduction(1, 2));
  bench.send(2, bench.reduction(2, 4));
  bench.send(3, bench.reduction(1, 8));
  bench.send(4, bench.reduction(3, 16));
  bench.send(5, bench.distribution(1, 32));
  bench.step();
  CHECK(bench.arrived(0) == 0b000011);
  CHECK(bench.arrived(1) == 0b000100);
  CHECK(bench.read(0x013) == kWrongPort);
  CHECK(bench.read(0x014) == kUnknown);
  CHECK(bench.read(0x015) == kOutOfPhase);
  bench.step();
  CHECK(bench.message(5) == fabric::BarrierMessage{MessageType::kReduction, 1, {3, 0}});
}

}  // namespace
}  // namespace muster::golden
