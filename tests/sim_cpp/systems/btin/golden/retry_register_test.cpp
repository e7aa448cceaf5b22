// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/systems/btin/golden/retry_bench.hpp"

/// docs/systems/retry-registers.md by hand: messages that come and what they make of the state.
namespace muster::golden {
namespace {

using fabric::MessageType;
using fabric::RetryMessage;
constexpr std::uint32_t kSum = 3;

TEST_CASE("a message that comes again is combined once", "[golden][retry]") {
  RetryBench bench;
  bench.load_turn(kSum);
  for (int i = 0; i < 5; ++i) bench.take(1, bench.up(false, 3));
  bench.take(2, bench.up(false, 4));
  bench.step(4);
  CHECK(bench.phase());
  bench.take(1, bench.up(false, 3));  // asks again
  bench.step();
  REQUIRE(bench.outputs() == 0b0010);
  CHECK(bench.seen(1) ==
        RetryMessage{MessageType::kDistribution, RetryBench::kGroup, false, false, 0, {7, 0}});
}

TEST_CASE("the last arrival is followed by all releases in the next cycle", "[golden][retry]") {
  RetryBench bench;
  bench.load_turn();
  bench.take(1, bench.up(false, 1));
  bench.take(2, bench.up(false, 2));
  CHECK(bench.outputs() == 0);
  bench.step();
  CHECK(bench.outputs() == 0b0110);
  for (const std::uint32_t port : {1u, 2u}) CHECK(bench.seen(port).data.lo == 3);
}

TEST_CASE("who missed the release gets it again, and only who asks", "[golden][retry]") {
  RetryBench bench;
  bench.load_turn();
  bench.send(1, bench.up(false, 1));
  bench.take(2, bench.up(false, 4));
  bench.step(2);
  CHECK(bench.to_serve(0) == 0);
  bench.take(2, bench.up(true, 8));  // has arrived at the next barrier
  for (int i = 0; i < 3; ++i) {
    bench.take(1, bench.up(false, 1));
    bench.step();
    CHECK(bench.outputs() == 0b0010);
    CHECK(bench.seen(1).data.lo == 5);  // nothing of the next barrier is in it
    bench.step();
  }
  bench.take(1, bench.up(true, 2));
  bench.step();
  CHECK(bench.seen(1) ==
        RetryMessage{MessageType::kDistribution, RetryBench::kGroup, true, false, 0, {10, 0}});
}

TEST_CASE("a child that arrives while its release is still to leave has had it",
          "[golden][retry]") {
  RetryBench bench;
  bench.load_turn();
  bench.send(1, bench.up(false));
  bench.take(2, bench.up(false));
  bench.step();                    // both releases leave at this edge
  bench.take(1, bench.up(false));  // asks before it has come
  bench.take(1, bench.up(true));   // and arrives in the cycle in which it is to be answered
  CHECK(bench.arrived(0) == 0b0010);
  CHECK(bench.to_serve(0) == 0);
}

TEST_CASE("a distribution counts once its register has sent, and in phase", "[golden][retry]") {
  RetryBench bench;
  bench.load_inner();
  bench.take(0, bench.down(false, 7));  // no child has arrived
  bench.take(1, bench.up(false));
  bench.take(0, bench.down(false, 7));
  bench.take(2, bench.up(false));
  bench.take(0, bench.down(false, 7));  // complete, but its message leaves at this edge
  CHECK_FALSE(bench.phase());
  REQUIRE(bench.outputs() == 0b0001);
  CHECK(bench.sent(0));
  bench.take(0, bench.down(true, 7));  // an old one
  CHECK_FALSE(bench.phase());
  bench.take(0, bench.down(false, 7));
  CHECK(bench.phase());
  bench.step();
  CHECK(bench.outputs() == 0b0110);
  CHECK(bench.seen(2).data.lo == 7);
  CHECK(bench.read(0x010) == 0);  // nothing of this is refused
}

TEST_CASE("messages of another epoch or at another port are refused", "[golden][retry]") {
  RetryBench bench;
  bench.load_inner();
  const auto refused = [&](std::uint32_t port, const core::Flit& flit) {
    bench.write(0x010, 0);
    bench.take(port, flit);
    bench.step(2);
    return (bench.read(0x010) >> 22 & 1) == 1 && bench.read(0x042) == 0;
  };
  CHECK(refused(1, bench.up(false, 0, false, 1)));
  CHECK(refused(1, bench.up(false, 0, true, 2)));
  CHECK(refused(0, bench.down(false, 0, true, 3)));
  CHECK(refused(0, bench.up(false)));
  CHECK(refused(3, bench.up(false)));
  CHECK(refused(1, bench.down(false)));
  CHECK_FALSE(bench.failed());
}

TEST_CASE("an abort fails a barrier that is not complete, for good", "[golden][retry]") {
  RetryBench bench;
  bench.load_inner();
  bench.take(1, bench.up(false));
  bench.request(0x043, fabric::registers::kBarrierCommandAborts.mask());
  bench.step();
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
  bench.take(2, bench.up(false));
  bench.step(5);
  CHECK(bench.failed());
  CHECK_FALSE(bench.phase());
  bench.load_inner();  // begins anew
  CHECK_FALSE(bench.failed());
}

TEST_CASE("a register that all children have reached refuses an abort", "[golden][retry]") {
  for (const bool turn : {false, true}) {
    RetryBench bench;
    turn ? bench.load_turn(kSum) : bench.load_inner(kSum);
    bench.take(1, bench.up(false));
    bench.send(2, bench.up(false));
    // In the cycle of the last arrival, while its data are folded, and when it has sent.
    for (int cycle = 0; cycle < 6; ++cycle) {
      bench.request(0x043, fabric::registers::kBarrierCommandAborts.mask());
      bench.step();
      if (turn && bench.phase()) break;  // from here on it is the next barrier's
      CHECK_FALSE(bench.failed());
    }
  }
}

TEST_CASE("failures are taken from below and from above, in phase", "[golden][retry]") {
  for (const bool above : {false, true}) {
    RetryBench bench;
    bench.load_inner();
    const auto message = [&](bool phase) {
      return above ? bench.down(phase, 0, true) : bench.up(phase, 0, true);
    };
    bench.take(above ? 0 : 2, message(true));
    CHECK_FALSE(bench.failed());
    bench.take(above ? 0 : 2, message(false));
    CHECK(bench.failed());
  }
}

TEST_CASE("a failed register still gives the last release to who missed it", "[golden][retry]") {
  RetryBench bench;
  bench.load_turn();
  bench.send(1, bench.up(false, 1));
  bench.take(2, bench.up(false, 4));
  bench.step(3);
  bench.take(2, bench.up(true, 0, true));
  bench.step(3);
  REQUIRE(bench.failed());
  bench.take(1, bench.up(false, 1));
  bench.step();
  REQUIRE(bench.outputs() == 0b0010);
  CHECK(bench.seen(1) ==
        RetryMessage{MessageType::kDistribution, RetryBench::kGroup, false, false, 0, {5, 0}});
}

TEST_CASE("a barrier completes when the child that is missing leaves", "[golden][retry]") {
  for (const std::uint32_t op : {0u, kSum}) {
    RetryBench bench;
    bench.load_turn(op);
    bench.take(1, bench.up(false, 6));
    bench.step(5);
    bench.request(0x041, 0b0010);
    bench.step();
    CHECK(bench.arrived(0) == 0b0010);
    CHECK_FALSE(bench.phase());
    bench.step();
    CHECK(bench.phase());
    bench.step();
    REQUIRE(bench.outputs() == 0b0010);
    CHECK(bench.seen(1).data.lo == 6);
  }
}

}  // namespace
}  // namespace muster::golden
