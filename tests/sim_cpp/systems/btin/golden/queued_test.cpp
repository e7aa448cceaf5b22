// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

constexpr std::uint32_t kParent = 3, kMembers = 0b0011, kStatus = 0x004, kDrops = 0x010;

/// Register 0 with members on ports 0 and 1; node 9 is behind the parent's port, node 8 at port 2.
struct Queued : SwitchBench {
  explicit Queued(std::uint32_t vcs = 1, std::uint32_t depth = 4)
      : SwitchBench(sw(4, vcs, {.queued = true}, depth)) {
    load(0, 7, kMembers, kParent);
    route(8, 1u << 2);
    route(9, 1u << kParent);
  }
  /// Both members arrive, the second in the present cycle; then `cycles` more.
  void arrive(std::uint32_t cycles) {
    send(0, reduction(7, 1));
    send(1, reduction(7, 2));
    step(cycles);
  }
};

TEST_CASE("a queued message takes L + 4 cycles a hop and the credit of channel 0",
          "[golden][barrier][queued]") {
  Queued bench(2);
  bench.arrive(3);
  CHECK(bench.credits() == (bit(lane_of(0, 0)) | bit(lane_of(1, 0))));
  CHECK(bench.arrived(0) == 0);
  bench.step();
  CHECK(bench.arrived(0) == kMembers);
  bench.step();
  REQUIRE(bench.outputs() == 1u << kParent);
  CHECK(bench.out(kParent) == bench.reduction(7, 3));
  CHECK(bench.read(kDrops) == 0);
}

TEST_CASE("a queued message waits for the packet before it, and for a credit",
          "[golden][barrier][queued]") {
  Queued bench(1, 4);
  bench.write(0x006, 1u << 2);                   // the packet's link is held
  bench.send_all(SwitchBench::packet(8, 2), 0);  // in the queue of port 0
  bench.arrive(20);
  CHECK(bench.arrived(0) == 0b10);
  bench.write(0x006, 0);
  bench.step(4);
  CHECK(bench.arrived(0) == 0b10);
  bench.step(2);
  CHECK(bench.arrived(0) == kMembers);

  Queued full(1, 1);
  full.send(2, SwitchBench::single(9));
  full.step(10);  // the only credit of the parent's port is gone
  full.arrive(20);
  CHECK_FALSE(full.sent(0));
  full.give_credit(kParent);
  full.step();
  CHECK(full.outputs() == 1u << kParent);
  CHECK(full.sent(0));
}

TEST_CASE("at an output it goes behind the packet that has channel 0 and before those that wait",
          "[golden][barrier][queued]") {
  Queued bench(1, 4);
  bench.send(2, SwitchBench::head(9));
  bench.step();
  bench.arrive(1);
  bench.send(1, SwitchBench::single(9));
  bench.step(8);
  CHECK_FALSE(bench.sent(0));
  bench.send(2, SwitchBench::tail(1));
  std::vector<bool> sync;
  for (int i = 0; i < 8; ++i) {
    bench.step();
    if (bench.valid(kParent)) sync.push_back(bench.out(kParent).sync());
  }
  CHECK(sync == std::vector{false, true, false});
}

TEST_CASE("inside a packet of channel 0 it is headless, and ends the packet",
          "[golden][barrier][queued]") {
  Queued bench;
  bench.send(0, SwitchBench::head(9));
  bench.step();
  bench.send(0, bench.reduction(7));
  bench.step();
  bench.send(0, bench.reduction(7));
  bench.step(12);
  CHECK((bench.read(kStatus) >> 16 & 0xff) == 1);
  CHECK(bench.arrived(0) == 1);
}

TEST_CASE("variants whose messages wait elsewhere exclude it", "[golden][barrier][queued]") {
  const btin::Variant others[] = {
      {.serial = true, .queued = true}, {.guard = true, .queued = true},
      {.spill = true, .queued = true},  {.retry = true, .queued = true},
      {.groups = 2, .queued = true},    {.labels = true, .queued = true}};
  for (const btin::Variant& variant : others)
    CHECK_THROWS_AS(fabric::validate(sw(4, 2, variant)), InputError);
  CHECK_NOTHROW(fabric::validate(
      sw(4, 2, {.straggler = true, .counters = true, .ops = 1, .parity = true, .queued = true})));
}

}  // namespace
}  // namespace muster::golden
