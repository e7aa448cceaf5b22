// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <optional>

#include "sim_cpp/fabric/golden/switch_bench.hpp"
#include "support/random.hpp"

namespace muster::golden {
namespace {

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
    bench.send(port, bench.reduction(kGid));
    bench.step(then);
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
  bench.send(kParent, bench.distribution(kGid));
  bench.step(3);
  for (const std::uint32_t p : {2u, 1u, 0u}) bench.send(p, bench.reduction(kGid));
  CHECK(read(2) == word_of(0, 30));
  bench.step();
  CHECK(read(2) == word_of(0, 0));
  bench.step(3);
  bench.send(kParent, bench.distribution(kGid));
  bench.step(3);
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
  bench.send(1, bench.reduction(kGid));
  bench.step(0xffff);
  CHECK_FALSE(bench.quiescent());
  bench.step();
  CHECK(bench.quiescent());
  bench.step(10);
  bench.send(0, bench.reduction(kGid));
  bench.step();
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
                      Catch::Matchers::Contains("straggler = 1 is not in 0..0"));
  SwitchBench plain(sw(4, 1));
  plain.load(0, kGid, 1, kParent);
  plain.send(0, plain.reduction(kGid));
  plain.step(5);
  CHECK(plain.read(kFirst) == 0);
}

}  // namespace
}  // namespace muster::golden
