// SPDX-License-Identifier: Apache-2.0
#include "fabric/register_map.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {

/// A switch of 4 ports whose registers repeat, with 4 bits of data in a message.
class RetryBench : public SwitchBench {
 public:
  static constexpr std::uint32_t kGroup = 9;
  static fabric::SwitchConfig config() {
    fabric::SwitchConfig config = sw(4, 1, {.retry = true});
    config.flit_w = 18;
    return config;
  }
  RetryBench() : SwitchBench(config()) {}

  /// A register with children 1 and 2, whose parent is port 0.
  void load_inner(std::uint32_t op = 0) { load_with(op << 26, 0b0110); }
  /// The same as the top of its tree.
  void load_turn(std::uint32_t op = 0) { load_with(op << 26 | 1u << 30, 0b0110); }

  core::Flit up(bool phase, std::uint64_t data = 0, bool fail = false, std::uint8_t epoch = 0) {
    return flit({fabric::MessageType::kReduction, kGroup, phase, fail, epoch, {data, 0}});
  }
  core::Flit down(bool phase, std::uint64_t data = 0, bool fail = false, std::uint8_t epoch = 0) {
    return flit({fabric::MessageType::kDistribution, kGroup, phase, fail, epoch, {data, 0}});
  }
  fabric::RetryMessage seen(std::uint32_t port) {
    return fabric::retry_message(formats, message(port));
  }
  bool phase() { return (read(0x101) & fabric::registers::kBarrierStatePhase.mask()) != 0; }
  bool failed() { return (read(0x101) & fabric::registers::kBarrierStateFailed.mask()) != 0; }
  bool suspect() { return (read(0x101) & fabric::registers::kBarrierStateSuspect.mask()) != 0; }

 private:
  core::Flit flit(const fabric::RetryMessage& message) {
    return formats.barrier_flit(fabric::barrier_message(formats, message), 0);
  }
  void load_with(std::uint32_t fields, std::uint32_t children) {
    write(0x102, children);
    write(0x100, 1u << 31 | fields | kGroup);
  }
};

/// docs/systems/retry-registers.md by hand: messages that come and what they make of the state.
namespace {

using fabric::MessageType;
using fabric::RetryMessage;
constexpr std::uint32_t kSum = 3;

TEST_CASE("a message that comes again is combined once", "[golden][retry]") {
  RetryBench bench;
  bench.load_turn(kSum);
  for (int i = 0; i < 5; ++i) bench.take(1, bench.up(false, 3));
  bench.take(2, bench.up(false, 4), 5);
  CHECK(bench.phase());
  bench.take(1, bench.up(false, 3));  // asks again
  bench.step();
  REQUIRE(bench.outputs() == 0b0010);
  CHECK(bench.seen(1) ==
        RetryMessage{MessageType::kDistribution, RetryBench::kGroup, false, false, 0, {7, 0}});
}

TEST_CASE("who missed the release gets it again, and only who asks", "[golden][retry]") {
  RetryBench bench;
  bench.load_turn();
  bench.send(1, bench.up(false, 1));
  bench.take(2, bench.up(false, 4), 3);
  CHECK(bench.to_serve(0) == 0);
  bench.take(2, bench.up(true, 8));  // has arrived at the next barrier
  for (int i = 0; i < 3; ++i) {
    bench.take(1, bench.up(false, 1), 2);
    CHECK(bench.outputs() == 0b0010);
    CHECK(bench.seen(1).data.lo == 5);  // nothing of the next barrier is in it
    bench.step();
  }
  bench.take(1, bench.up(true, 2), 2);
  CHECK(bench.seen(1) ==
        RetryMessage{MessageType::kDistribution, RetryBench::kGroup, true, false, 0, {10, 0}});
}

TEST_CASE("an abort fails a barrier that is not complete, for good", "[golden][retry]") {
  RetryBench bench;
  bench.load_inner();
  bench.take(1, bench.up(false));
  bench.request(0x101, fabric::registers::kBarrierCommandAborts.mask());
  bench.step(2);  // it is done in the cycle after
  REQUIRE(bench.failed());
  bench.step();
  REQUIRE(bench.outputs() == 0b0001);
  CHECK(bench.seen(0) ==
        RetryMessage{MessageType::kReduction, RetryBench::kGroup, false, true, 0, {}});
  bench.step();
  REQUIRE(bench.outputs() == 0b0110);
  for (const std::uint32_t port : {1u, 2u})
    CHECK(bench.seen(port) ==
          RetryMessage{MessageType::kDistribution, RetryBench::kGroup, false, true, 0, {}});
  bench.send(1, bench.up(false));
  bench.take(2, bench.up(false), 6);
  CHECK(bench.failed());
  CHECK_FALSE(bench.phase());
  bench.load_inner();  // begins anew
  CHECK_FALSE(bench.failed());
}

TEST_CASE("an abort fails no barrier whose children have all arrived, up to its release",
          "[golden][retry]") {
  for (const bool turn : {false, true}) {
    const int released = turn ? 1 : 4;
    for (int aborted = 0; aborted < 7; ++aborted) {
      CAPTURE(turn, aborted);
      RetryBench bench;
      turn ? bench.load_turn() : bench.load_inner();
      for (int cycle = -1; cycle < 7; ++cycle) {  // a request is done in the cycle after
        if (cycle == 0 || cycle == 1)
          bench.send(1u + static_cast<std::uint32_t>(cycle), bench.up(false));
        if (cycle == released && !turn) bench.send(0, bench.down(false));
        if (cycle + 1 == aborted)
          bench.request(0x101, fabric::registers::kBarrierCommandAborts.mask());
        bench.step();
      }
      CHECK(bench.failed() == (aborted == 0 || aborted > released));
      CHECK(bench.phase() == (aborted > 0));
    }
  }
}

/// docs/systems/retry-registers.md, Ticks, by hand.
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
    bench.take(2, bench.up(false), 4);
    if (!turn) bench.take(0, bench.down(false));
    CHECK_FALSE(bench.suspect());
  }
}

}  // namespace
}  // namespace muster::golden
