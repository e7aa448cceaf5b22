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
    if (return_credits && bench.valid(0) && !bench.out(0).sync())
      bench.give_credit(0, bench.out(0).vc);
  }
  return seen;
}

/// Queues a packet of `flits` at port 1 for port 0, and lets a reduction of each of `groups`
/// registers (children: ports 2, 3, ...) be on the wires in cycle `at`. A packet that begins in
/// cycle 0 is allocated from cycle 2 on, traverses from 3 and is on the wires from 4; the messages
/// ask for the output from `at` + 1 on.
std::string mixed(SwitchBench& bench, std::uint32_t flits, std::uint32_t groups, std::uint32_t at,
                  std::uint32_t cycles = 14, bool return_credits = true) {
  bench.route(1, 1);
  for (std::uint32_t r = 0; r < groups; ++r) bench.load(r, r, 1u << (2 + r), 0);
  std::string seen;
  for (std::uint32_t t = 0; t < cycles; ++t) {
    if (t < flits) {
      core::Flit flit = t == 0 ? B::head(1) : B::body(t);
      if (t + 1 == flits) flit.kind |= core::Flit::kTail;
      bench.send(1, flit);
    }
    if (t == at)
      for (std::uint32_t r = 0; r < groups; ++r) bench.send(2 + r, bench.reduction(r));
    seen += trace(bench, 1, return_credits);
  }
  return seen;
}

TEST_CASE("of barrier messages and data that are always there one goes for each two flits",
          "[golden][sharing]") {
  SwitchBench bench(sw(8, 1, 16));
  // The first asks in 3: waits for the flit that traverses, and for the one allocated in 3.
  CHECK(mixed(bench, 8, 3, 2, 20) == "----ddbddbddbdd-----");
}

TEST_CASE("a barrier message goes at once on an output that is free, and data follows",
          "[golden][sharing]") {
  SwitchBench bench(sw(8, 1, 16));
  CHECK(mixed(bench, 2, 1, 0) == "--b-dd--------");
  SwitchBench together(sw(8, 1, 16));
  // Request and allocation of the head fall into the same cycle 2: both go, one behind the other.
  CHECK(mixed(together, 2, 1, 1) == "---bdd--------");
  SwitchBench two(sw(8, 1, 16));
  // The second message waits for the head, which traverses in 3, and the tail, allocated in 3.
  CHECK(mixed(two, 2, 2, 1) == "---bddb-------");
}

TEST_CASE("a barrier message waits for two flits of data at most", "[golden][sharing]") {
  SwitchBench bench(sw(8, 2, 16));
  CHECK(mixed(bench, 4, 1, 2) == "----ddbdd-----");
  SwitchBench last(sw(8, 2, 16));
  // The last flit of the data traverses: the output closes for nothing, and the message goes in 4.
  CHECK(mixed(last, 1, 1, 2) == "----db--------");
}

TEST_CASE("a barrier message takes no credit, and data none of its", "[golden][sharing]") {
  SwitchBench bench(sw(8, 2, 2));
  CHECK(mixed(bench, 2, 3, 0, 14, false) == "--bbddb-------");  // the last without any left
}

TEST_CASE("a held output sends what traverses and no more, but barrier messages",
          "[golden][sharing]") {
  SwitchBench bench(sw(8, 2, 16));
  bench.write(0x007, 0xffffff01);
  CHECK(bench.read(0x007) == 1);
  CHECK(mixed(bench, 4, 2, 1) == "---bb---------");
  bench.write(0x007, 0);
  CHECK(trace(bench, 8) == "--dddd--");

  SwitchBench late(sw(8, 2, 16));
  CHECK(mixed(late, 4, 0, 0, 4) == "----");  // allocated in 2 and 3
  late.write(0x007, 1);
  CHECK(trace(late, 8) == "dd------");
  late.write(0x007, 2);  // another one
  CHECK(trace(late, 6) == "--dd--");
}

TEST_CASE("a barrier message passes the data in front of it, in a queue that is full too",
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
  // The head is taken in 2, the tail in 3; the reduction, consumed in 1, goes in 2.
  for (std::uint32_t t = 3; t < 9; ++t, bench.step()) {
    CAPTURE(t);
    CHECK(bench.credits() == (t < 5 ? bit(lane_of(1, 0)) : 0));
    CHECK(bench.valid(0) == (t == 3));
    CHECK(bench.valid(3) == (t == 4 || t == 5));
  }
  SwitchBench full(sw(4, 1, 4));
  full.route(1, 1u << 3);
  full.load(0, 5, 0b0010, 0);
  full.write(0x007, 1u << 3);
  for (int i = 0; i < 4; ++i, full.step()) full.send(1, i == 0 ? B::head(1) : B::body(1));
  full.send(1, full.reduction(5));
  full.step(2);
  CHECK(full.message(0).gid == 5);
  CHECK(full.outputs() == 1);
  CHECK(full.credits() == 0);
}

}  // namespace
}  // namespace muster::golden
