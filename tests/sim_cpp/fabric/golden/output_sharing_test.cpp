// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

using B = SwitchBench;

/// What passes port 0 from now on, a letter a cycle: b barrier, d data, - nothing.
std::string trace(SwitchBench& bench, std::uint32_t cycles, bool return_credits = true) {
  std::string seen;
  for (std::uint32_t t = 0; t < cycles; ++t, bench.step()) {
    seen += !bench.valid(0) ? '-' : bench.out(0).sync() ? 'b' : 'd';
    if (return_credits && bench.valid(0)) bench.give_credit(0, bench.out(0).vc);
  }
  return seen;
}

/// Queues a packet of `flits` at port 1 for port 0, and lets a reduction of each of `groups`
/// registers (children: ports 2, 3, ...) be on the wires in cycle `at`.
std::string mixed(SwitchBench& bench, std::uint32_t flits, std::uint32_t groups, std::uint32_t at,
                  std::uint8_t barrier_vc, std::uint32_t cycles = 14, bool return_credits = true) {
  bench.route(1, 1);
  for (std::uint32_t r = 0; r < groups; ++r) bench.load(r, r, 1u << (2 + r), 0);
  std::string seen;
  for (std::uint32_t t = 0; t < cycles; ++t) {
    if (t < flits) {
      core::Flit flit = t == 0 ? B::head(1) : B::body(t);
      if (t + 1 == flits) flit.kind |= core::Flit::kTail;
      bench.send(1, flit);
    }
    if (t == at) {
      for (std::uint32_t r = 0; r < groups; ++r) {
        bench.send(2 + r, bench.reduction(r), barrier_vc);
      }
    }
    seen += trace(bench, 1, return_credits);
  }
  return seen;
}

TEST_CASE("a barrier message and data of one output alternate when they share a channel",
          "[golden][sharing]") {
  SwitchBench bench(sw(8, 1, 16));
  // Data allocated in 2, 3, ...: on the wires from 4 on. Requests of the barriers from cycle 4.
  CHECK(mixed(bench, 8, 3, 2, 0, 20) == "----ddbdbdbdddd-----");
}

TEST_CASE("a barrier message goes at once on an output that is free, and data follows",
          "[golden][sharing]") {
  SwitchBench bench(sw(8, 1, 16));
  // Request and allocation of the head fall into the same cycle 2: both go, one behind the other.
  CHECK(mixed(bench, 2, 1, 0, 0) == "---bdd--------");
  SwitchBench two(sw(8, 1, 16));
  // The second message is blocked by the traversing head in 3, which holds the output for it.
  CHECK(mixed(two, 2, 2, 0, 0) == "---bdbd-------");
}

TEST_CASE("a barrier message waits one cycle for a traversing flit", "[golden][sharing]") {
  SwitchBench bench(sw(8, 2, 16));
  bench.own_channel();
  // Request in cycle 3, when the head traverses: it goes in 4.
  CHECK(mixed(bench, 4, 1, 1, 1) == "----dbddd-----");
}

TEST_CASE("with a channel of their own barrier messages pass data as long as there are any",
          "[golden][sharing]") {
  SwitchBench bench(sw(8, 2, 16));
  bench.own_channel();
  CHECK(mixed(bench, 8, 3, 2, 1, 20) == "----ddbbbdddddd-----");
  SwitchBench shared(sw(8, 2, 16));
  CHECK(mixed(shared, 8, 3, 2, 0, 20) == "----ddbdbdbdddd-----");
}

TEST_CASE("without a credit a barrier message neither goes nor holds the output",
          "[golden][sharing]") {
  SwitchBench bench(sw(8, 2, 2));
  bench.own_channel();
  bench.load(0, 0, 1u << 2, 0);
  bench.load(1, 1, 1u << 3, 0);
  bench.load(2, 2, 1u << 4, 0);
  for (std::uint32_t r = 0; r < 3; ++r) bench.send(2 + r, bench.reduction(r), 1);
  CHECK(trace(bench, 8, false) == "---bb---");  // the third has no credit
  bench.route(1, 1);
  bench.send(1, B::head(1));
  bench.step();
  bench.send(1, B::tail(1));
  CHECK(trace(bench, 6, false) == "---dd-");
  bench.give_credit(0, 1);
  CHECK(trace(bench, 4, false) == "--b-");
}

TEST_CASE("a held output sends what traverses and no more, but barriers of their own channel",
          "[golden][sharing]") {
  SwitchBench shared(sw(8, 2, 16));
  shared.write(0x007, 0xffffff01);
  CHECK(shared.read(0x007) == 1);
  CHECK(mixed(shared, 4, 2, 1, 0) == "--------------");
  shared.write(0x007, 0);
  CHECK(trace(shared, 8) == "-bdbddd-");

  SwitchBench own(sw(8, 2, 16));
  own.own_channel();
  own.write(0x007, 1);
  CHECK(mixed(own, 4, 2, 1, 1) == "----bb--------");

  SwitchBench late(sw(8, 2, 16));
  CHECK(mixed(late, 4, 0, 0, 0, 4) == "----");  // allocated in 2 and 3
  late.write(0x007, 1);
  CHECK(trace(late, 8) == "dd------");
  late.write(0x007, 2);  // another one
  CHECK(trace(late, 6) == "--dd--");
}

TEST_CASE("data leaves the last credit of the barrier channel to a barrier message that goes",
          "[golden][sharing]") {
  const std::uint32_t depth = GENERATE(1, 2);
  SwitchBench bench(sw(8, 1, depth));
  // Both want the output in cycle 2. With one credit the barrier message alone goes.
  CHECK(mixed(bench, 1, 1, 0, 0, 10, false) == (depth == 1 ? "---b------" : "---bd-----"));
  bench.give_credit(0);
  CHECK(trace(bench, 5, false) == (depth == 1 ? "---d-" : "-----"));

  // On another channel one credit is enough for data.
  SwitchBench other(sw(8, 2, 1));
  other.route(1, 1);
  other.load(0, 0, 1u << 2, 0);
  other.send(1, B::single(1), 1);
  other.send(2, other.reduction(0), 0);
  CHECK(trace(other, 7, false) == "---bd--");
}

TEST_CASE("a reduction waits behind data that is in front of it in its queue",
          "[golden][sharing]") {
  SwitchBench bench(sw(4, 1, 4));
  bench.route(1, 1u << 3);
  bench.load(0, 5, 0b0010, 0);
  bench.send(1, B::head(1));
  bench.step();
  bench.send(1, bench.reduction(5));  // between two flits of a packet
  bench.step();
  bench.send(1, B::tail(1));
  bench.step();
  // The head is taken in 2, the reduction in 3, the tail in 4.
  for (std::uint32_t t = 3; t < 9; ++t, bench.step()) {
    CAPTURE(t);
    CHECK(bench.credits() == (t < 6 ? bit(lane_of(1, 0)) : 0));
    CHECK(bench.valid(0) == (t == 5));
    CHECK(bench.valid(3) == (t == 4 || t == 6));
  }
}

}  // namespace
}  // namespace muster::golden
