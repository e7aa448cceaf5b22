// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

constexpr std::uint32_t kMask = 0x00E, kCauses = 0x00F, kSomewhere = 5;

struct Counting : SwitchBench {
  Counting() : SwitchBench(sw(4, 1, {.guard = true, .counters = true}, 2)) {
    route(kSomewhere, 1u << 2);
  }
  std::uint32_t flits(std::uint32_t port) { return read(0x200 + 4 * port); }
  std::uint32_t stalls(std::uint32_t port) { return read(0x201 + 4 * port); }
  std::uint32_t losses(std::uint32_t port) { return read(0x202 + 4 * port); }
};

TEST_CASE("flits of an output and the cycles in which one waits for it are counted",
          "[golden][switch][counters]") {
  Counting bench;
  bench.send_all(SwitchBench::packet(kSomewhere, 2), 0);
  bench.step(10);
  CHECK(bench.flits(2) == 2);
  CHECK(bench.stalls(2) == 0);
  bench.send_all(SwitchBench::packet(kSomewhere, 2), 1);  // no credit is left
  bench.step(3);
  const std::uint32_t before = bench.stalls(2);
  bench.step(20);
  CHECK(bench.stalls(2) == before + 20);
  bench.give_credit(2);
  bench.step(5);
  bench.give_credit(2);
  bench.step(10);
  CHECK(bench.flits(2) == 4);
  CHECK(bench.stalls(2) == before + 20 + 4);
  CHECK(bench.flits(0) + bench.flits(1) + bench.flits(3) == 0);
  bench.write(0x208, 0);
  CHECK(bench.flits(2) == 0);
  CHECK(bench.stalls(2) == before + 24);
  CHECK(bench.quiescent());
}

TEST_CASE("a barrier message counts as a flit, one that is dropped as a loss, and interrupts",
          "[golden][switch][counters]") {
  Counting bench;
  CHECK(bench.read(kMask) == 8);  // suspects alone
  bench.load(0, 9, 0b0001, 3);
  bench.send(0, bench.reduction(9));
  bench.step(4);
  CHECK(bench.flits(3) == 1);
  bench.send(1, bench.reduction(7));
  bench.step();
  CHECK_FALSE(bench.quiescent());
  CHECK(bench.losses(1) == 0);
  bench.step();
  CHECK(bench.losses(1) == 1);
  CHECK(bench.read(kCauses) == 1);
  CHECK_FALSE(bench.irq());
  bench.write(kMask, 1);
  CHECK(bench.irq());
  bench.write(kCauses, 1);
  CHECK_FALSE(bench.irq());

  bench.send(2, SwitchBench::head(33));  // without a route
  bench.step();
  bench.send(2, SwitchBench::tail(0));
  bench.step(8);
  CHECK(bench.losses(2) == 1);
  CHECK(bench.irq());
  bench.write(kCauses, 7);
  bench.write(0x112, 1);
  bench.write(0x110, 1u << 31 | 3u << 16 | 9);  // another register has the group
  bench.step(2);
  CHECK(bench.read(kCauses) == 2);
  CHECK_FALSE(bench.irq());  // masked
  CHECK(bench.losses(0) == 0);

  bench.write(0x006, 0xf);  // held, so that queues fill
  for (int i = 0; i < 4; ++i) {
    bench.send(0, i == 0 ? SwitchBench::head(kSomewhere) : SwitchBench::body(1));
    bench.step();
  }
  bench.step(3);
  CHECK((bench.read(kCauses) & 4) != 0);
  CHECK(bench.losses(0) == 2);
}

TEST_CASE("a switch without counters has none of their words", "[golden][switch][counters]") {
  SwitchBench bench(sw(4, 1));
  bench.write(kMask, 7);
  bench.send(1, bench.reduction(7));
  bench.step(4);
  for (const std::uint32_t word : {kMask, kCauses, 0x200u, 0x206u}) CHECK(bench.read(word) == 0);
  CHECK_FALSE(bench.irq());
}

}  // namespace
}  // namespace muster::golden
