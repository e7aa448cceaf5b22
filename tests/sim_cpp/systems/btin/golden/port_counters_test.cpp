// SPDX-License-Identifier: Apache-2.0
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
  bench.take(0, bench.reduction(9), 4);
  CHECK(bench.flits(3) == 1);
  bench.take(1, bench.reduction(7));
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
  bench.take(2, SwitchBench::tail(0), 8);
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
    bench.take(0, i == 0 ? SwitchBench::head(kSomewhere) : SwitchBench::body(1));
  }
  bench.step(3);
  CHECK((bench.read(kCauses) & 4) != 0);
  CHECK(bench.losses(0) == 2);
}

TEST_CASE("a switch without counters has none of their words", "[golden][switch][counters]") {
  SwitchBench bench(sw(4, 1));
  bench.write(kMask, 7);
  bench.take(1, bench.reduction(7), 4);
  for (const std::uint32_t word : {kMask, kCauses, 0x200u, 0x206u}) CHECK(bench.read(word) == 0);
  CHECK_FALSE(bench.irq());
}

constexpr std::uint32_t kGid = 9, kParent = 3, kMembers = 0b0111, kFirst = 0x10A;

std::uint32_t word_of(std::uint32_t port, std::uint32_t cycles) {
  return 1u << 31 | port << 16 | cycles;
}

TEST_CASE("a register knows the port of the last arrival and how long the first had waited",
          "[golden][barrier][straggler]") {
  SwitchBench bench(sw(4, 1, {.straggler = true}));
  const auto read = [&](std::uint32_t r) { return bench.read(kFirst + 16 * r); };
  bench.load(2, kGid, kMembers, kParent);
  const auto arrive = [&](std::uint32_t port, std::uint32_t then) {
    bench.take(port, bench.reduction(kGid), then);
  };
  arrive(1, 10);
  CHECK_FALSE(bench.quiescent());
  arrive(2, 20);
  CHECK(read(2) == 0);  // no barrier yet
  arrive(0, 1);
  CHECK(read(2) == word_of(0, 30));
  bench.step(5);
  CHECK(bench.quiescent());  // however long the parent takes
  CHECK(read(2) == word_of(0, 30));

  // The next one, while the word stays: all together, and two as the last.
  bench.take(kParent, bench.distribution(kGid), 3);
  for (const std::uint32_t p : {2u, 1u, 0u}) bench.send(p, bench.reduction(kGid));
  CHECK(read(2) == word_of(0, 30));
  bench.step();
  CHECK(read(2) == word_of(0, 0));
  bench.step(3);
  bench.take(kParent, bench.distribution(kGid), 3);
  arrive(0, 7);
  bench.send(1, bench.reduction(kGid));
  arrive(2, 1);
  CHECK(read(2) == word_of(1, 7));

  bench.write(0x122, kMembers);  // the child mask: all is forgotten
  CHECK(read(2) == 0);
  CHECK(read(1) == 0);
}

TEST_CASE("the cycles of a straggler end at 65535, and then the switch is quiescent",
          "[golden][barrier][straggler]") {
  SwitchBench bench(sw(4, 1, {.straggler = true}));
  bench.load(0, kGid, 0b0011, kParent);
  bench.take(1, bench.reduction(kGid), 0xffff);
  CHECK_FALSE(bench.quiescent());
  bench.step();
  CHECK(bench.quiescent());
  bench.step(10);
  bench.take(0, bench.reduction(kGid));
  CHECK(bench.read(kFirst) == word_of(0, 0xffff));
}

TEST_CASE("stragglers of a reflecting register are those of its arrivals",
          "[golden][barrier][straggler][random]") {
  Random rng(muster_seed(), 6);
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(trial);
    const std::uint32_t ports = 3 + rng.below(14);
    SwitchBench bench(sw(ports, 1, {.straggler = true}));
    const std::uint32_t children = 1 + rng.below((1u << ports) - 1);
    bench.write(0x102, children);
    bench.write(0x100, 3u << 30 | rng.below(8) << 26 | kGid);
    // A child arrives again at the earliest when its release is on the wires.
    std::uint32_t free = children, arrived = 0, known = 0;
    std::optional<std::uint64_t> first;
    for (int cycle = 0; cycle < 400; ++cycle) {
      std::uint32_t now = 0;
      for (std::uint32_t p = 0; p < ports; ++p)
        if ((free >> p & 1) != 0 && rng.below(12) == 0) now |= 1u << p;
      for_each_bit(now, [&](std::uint32_t p) { bench.send(p, bench.reduction(kGid)); });
      free &= ~now;
      if (now != 0 && !first) first = bench.now();
      arrived |= now;
      if (now != 0 && arrived == children) {
        known = word_of(lowest(now), static_cast<std::uint32_t>(bench.now() - *first));
        arrived = 0;
        first.reset();
      }
      bench.step();
      REQUIRE(bench.read(kFirst) == known);
      free |= bench.outputs() & children;
    }
    CHECK(known != 0);
  }
}

TEST_CASE("variants without a straggler refuse it", "[golden][barrier][straggler]") {
  for (const btin::Variant& variant : {btin::Variant{.serial = true, .straggler = true},
                                       btin::Variant{.retry = true, .straggler = true},
                                       btin::Variant{.groups = 64, .straggler = true}})
    CHECK_THROWS_WITH(fabric::validate(sw(4, 1, variant)),
                      Contains("straggler = 1 is not in 0..0"));
  SwitchBench plain(sw(4, 1));
  plain.load(0, kGid, 1, kParent);
  plain.take(0, plain.reduction(kGid), 5);
  CHECK(plain.read(kFirst) == 0);
}

}  // namespace
}  // namespace muster::golden
