// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "sim_cpp/systems/btin/golden/retry_bench.hpp"

/// docs/systems/retry-registers.md, Ticks, by hand.
namespace muster::golden {
namespace {

constexpr std::uint32_t kPeriod = 7;

/// Cycles, after the present one, behind whose edge a message stands at the port.
std::vector<std::uint64_t> messages(RetryBench& bench, std::uint32_t port, std::uint32_t cycles) {
  std::vector<std::uint64_t> found;
  for (std::uint32_t i = 0; i < cycles; ++i) {
    bench.step();
    if (bench.valid(port)) found.push_back(i);
  }
  return found;
}

TEST_CASE("a register that has sent sends again with each tick", "[golden][retry]") {
  RetryBench bench;
  bench.write(0x011, kPeriod);
  bench.load_inner();
  bench.send(1, bench.up(false));
  bench.take(2, bench.up(false));
  // Under way from the next cycle t on; its message leaves at once, the ticks are t + 7 i, and what
  // they bring leaves a cycle later.
  CHECK(messages(bench, 0, 31) == std::vector<std::uint64_t>{0, 8, 15, 22, 29});
  bench.take(0, bench.down(false));
  CHECK(messages(bench, 0, 30).empty());
}

TEST_CASE("without a period nothing is sent again", "[golden][retry]") {
  RetryBench bench;
  bench.load_inner();
  bench.send(1, bench.up(false));
  bench.take(2, bench.up(false));
  CHECK(messages(bench, 0, 200) == std::vector<std::uint64_t>{0});
  CHECK(bench.quiescent());
}

TEST_CASE("a failed register tells its neighbours again and again", "[golden][retry]") {
  RetryBench bench;
  bench.write(0x011, kPeriod);
  bench.load_inner();
  bench.take(1, bench.up(false, 0, true));
  CHECK(messages(bench, 0, 30) == std::vector<std::uint64_t>{0, 8, 15, 22, 29});
  bench.load_inner();
  bench.step(kPeriod);
  bench.take(1, bench.up(false, 0, true));
  CHECK(messages(bench, 2, 20) == std::vector<std::uint64_t>{1, 9, 16});
}

TEST_CASE("a register is suspect after 15 age periods and until it is released",
          "[golden][retry]") {
  constexpr std::uint32_t kAges = 3;
  for (const bool turn : {false, true}) {
    CAPTURE(turn);
    RetryBench bench;
    bench.write(0x011, kAges << 16 | kPeriod);
    turn ? bench.load_turn() : bench.load_inner();
    bench.step(100);
    CHECK(bench.quiescent());  // no barrier waits
    bench.take(1, bench.up(false));
    bench.step(15 * kAges * kPeriod);
    CHECK_FALSE(bench.suspect());
    bench.step();
    CHECK(bench.suspect());
    CHECK(bench.arrived(0) == 0b0010);  // who is missing: child 2
    bench.step(100);
    CHECK(bench.suspect());
    bench.take(2, bench.up(false));
    bench.step(3);
    if (!turn) bench.take(0, bench.down(false));
    CHECK_FALSE(bench.suspect());
  }
}

TEST_CASE("a write of the periods begins them anew", "[golden][retry]") {
  RetryBench bench;
  bench.write(0x011, kPeriod);
  bench.load_inner();
  bench.send(1, bench.up(false));
  bench.take(2, bench.up(false));
  bench.step(kPeriod - 1);
  bench.request(0x011, 5 << 16 | 4);
  bench.step();
  CHECK(bench.read(0x011) == (5u << 16 | 4));
  CHECK(messages(bench, 0, 12) == std::vector<std::uint64_t>{5, 9});
}

}  // namespace
}  // namespace muster::golden
