// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim_cpp/fabric/golden/packet_sources.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

// docs/systems/barrier-switch.md, Data, "Owner and next".
namespace muster::golden {
namespace {

using B = SwitchBench;

/// The inputs whose flits are taken in each of `cycles` cycles, a digit each; - for none. Credits
/// of output 0 come back at once.
std::string served(SwitchBench& bench, std::uint32_t cycles) {
  std::string order;
  for (std::uint32_t t = 0; t < cycles; ++t) {
    if (bench.valid(0)) bench.give_credit(0, bench.out(0).vc);
    bench.step();
    if (bench.credits() == 0) order += '-';
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { order += char('0' + port_of(lane)); });
  }
  return order;
}

TEST_CASE("the next is the waiting input at or after the pointer, which it moves behind itself",
          "[golden][order]") {
  const std::uint32_t vcs = GENERATE(1, 2);
  SwitchBench bench(sw(8, vcs, 4));
  bench.route(1, 1);
  // 4 is the owner with an open packet, and 3 its next. 5, 2 and 7 wait.
  bench.send(4, B::head(1));
  bench.step(3);
  for (const std::uint32_t port : {3u, 5u, 2u, 7u}) {
    bench.send(port, B::single(1));
    bench.step(3);
  }
  // No input that waited has been picked: the pointer is at 0. When 3 is the owner, 2 is picked.
  bench.send(4, B::tail(1));
  CHECK(served(bench, 8) == "-43257--");
  // The pointer stands at 0 again, behind 7. The second packet of 1 waits only from the cycle on in
  // which 6 has been picked.
  bench.send(4, B::head(1));
  bench.step(3);
  bench.send(1, B::single(1));
  bench.step(3);
  for (const std::uint32_t port : {7u, 6u, 1u}) {
    bench.send(port, B::single(1));
    bench.step(3);
  }
  bench.send(4, B::tail(1));
  CHECK(served(bench, 8) == "-41671--");
}

TEST_CASE("of packets that are new in the same cycle the lowest is picked, and the pointer stays",
          "[golden][order]") {
  SwitchBench bench(sw(8, 1, 4));
  bench.route(1, 1);
  for (const std::uint32_t port : {6u, 5u, 3u}) bench.send(port, B::single(1));
  // 3 is picked when new and owner in the next cycle, when 5 is picked of those that wait.
  CHECK(served(bench, 7) == "--356--");
  // The pointer stands at 7. New ones again: the lowest, 2; then 7 before 3.
  for (const std::uint32_t port : {2u, 3u, 7u}) bench.send(port, B::single(1));
  CHECK(served(bench, 7) == "--273--");
}

TEST_CASE("one that waits goes before one that is new", "[golden][order]") {
  SwitchBench bench(sw(8, 1, 4));
  bench.route(1, 1);
  for (const std::uint32_t port : {1u, 2u}) bench.send(port, B::single(1));
  bench.step();
  bench.send(0, B::single(1));  // new in 2, when 2 waits
  CHECK(served(bench, 6) == "-120--");
}

TEST_CASE("a packet behind the owner's asks from the cycle on after the tail, like any other",
          "[golden][order]") {
  SwitchBench bench(sw(8, 1, 4));
  bench.route(1, 1);
  bench.write(0x007, 1);
  for (const std::uint32_t port : {1u, 2u, 3u}) {
    for (int n = 0; n < 2; ++n, bench.step()) bench.send(port, B::single(1));
  }
  bench.step(4);
  bench.write(0x007, 0);
  // 1 is the owner and 2 its next, both picked when new; 3 waits. With 2 the owner 1 asks too, and
  // is the first from the pointer on.
  CHECK(served(bench, 8) == "121233--");
}

TEST_CASE("the owner goes on with its next packet only without another request",
          "[golden][order]") {
  SwitchBench bench(sw(8, 1, 4));
  bench.route(1, 1);
  bench.write(0x007, 1);
  for (int n = 0; n < 3; ++n, bench.step()) bench.send(1, B::single(1));
  bench.step(4);
  bench.write(0x007, 0);
  SECTION("no other") { CHECK(served(bench, 5) == "111--"); }
  SECTION("one that is new when the tail is taken") {
    bench.send(2, B::single(1));  // new in the next cycle, when the second is taken
    CHECK(served(bench, 6) == "1121--");
  }
}

TEST_CASE("at most the owner, the next and one of each other input go before a packet",
          "[golden][order]") {
  SwitchBench bench(sw(4, 1, 8));
  bench.route(1, 1);
  bench.write(0x007, 1);
  // 3 is the owner and 2 the next when 1 comes; 0, 2 and 3 have more.
  for (const std::uint32_t port : {3u, 2u, 0u}) {
    for (int n = 0; n < 4; ++n, bench.step()) bench.send(port, B::single(1));
  }
  bench.send(1, B::single(1));
  bench.step(4);
  bench.write(0x007, 0);
  // k + 1 = 5 is the bound; the pointer is at 0.
  CHECK(served(bench, 5) == "32012");
}

TEST_CASE("a channel short of credits serves all inputs in turn while another keeps its port busy",
          "[golden][order]") {
  SwitchBench bench(sw(8, 2, 4));
  bench.route(1, 1);
  PacketSources sources(bench, 4);
  for (const std::uint32_t port : {1u, 2u, 4u}) sources.add(port, 0);
  sources.add(3, 1);

  // Channel 1 of port 0 gets its credits at once; channel 0 one in ten cycles.
  std::uint32_t owed = 0;
  std::map<std::uint64_t, std::uint32_t> packets;
  for (std::uint32_t t = 0; t < 4000; ++t) {
    if (bench.valid(0)) {
      const core::Flit& flit = bench.out(0);
      if (flit.vc == 1) bench.give_credit(0, 1);
      if (flit.vc == 0) ++owed;
      if (flit.tail()) ++packets[flit.lo];
    }
    if (t % 10 == 0 && owed > 0) {
      bench.give_credit(0, 0);
      --owed;
    }
    sources.step();
  }
  const std::uint32_t first = packets[lane_of(1, 0)], second = packets[lane_of(2, 0)],
                      third = packets[lane_of(4, 0)];
  CAPTURE(first, second, third, packets[lane_of(3, 1)]);
  CHECK(first >= 60);
  CHECK(second + 1 >= first);
  CHECK(second <= first + 1);
  CHECK(third + 1 >= first);
  CHECK(third <= first + 1);
  CHECK(packets[lane_of(3, 1)] > 1000);
}

}  // namespace
}  // namespace muster::golden
