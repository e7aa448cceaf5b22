// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

// docs/systems/barrier-switch.md, "Input queues" and "Data".
namespace muster::golden {
namespace {

using B = SwitchBench;

/// What stands on the wires of `port` in each of `cycles` cycles, a letter each: h head, b body,
/// t tail, s single flit, - nothing.
std::string trace(SwitchBench& bench, std::uint32_t port, std::uint32_t cycles) {
  constexpr const char kLetters[] = "bths";
  std::string seen;
  for (std::uint32_t t = 0; t < cycles; ++t, bench.step())
    seen += bench.valid(port) ? kLetters[bench.out(port).kind & 3] : '-';
  return seen;
}

TEMPLATE_TEST_CASE(
    "a head takes L + 3 cycles from wire to wire and its packet follows without a gap",
    "[golden][data]", SwitchBench, UnitBench) {
  const std::uint32_t vcs = GENERATE(1, 2, 4);
  TestType bench(sized<TestType>(5, vcs, 8));
  bench.route(9, 1u << 3);
  const auto vc = static_cast<std::uint8_t>(vcs - 1);
  const std::vector<core::Flit> flits = B::packet(9, 4);
  for (std::uint32_t t = 0; t < 9; ++t) {
    CAPTURE(t);
    CHECK(bench.valid(3) == (t >= 4 && t < 8));  // L + 3 = 4
    if (bench.valid(3)) {
      core::Flit expected = flits[t - 4];
      expected.vc = vc;
      CHECK(bench.out(3) == expected);
    }
    // Taken in t + 2, so its credit is on the wires in t + 3.
    CHECK(bench.credits() == (t >= 3 && t < 7 ? bit(lane_of(1, vc)) : 0));
    if (t < flits.size()) bench.send(1, flits[t], vc);
    bench.step();
  }
  CHECK(bench.quiescent());
}

TEST_CASE("a body flit of a packet under way takes L + 2 cycles", "[golden][data]") {
  SwitchBench bench(sw(4, 1));
  bench.route(1, 1u << 1);
  bench.send(0, B::head(1));
  bench.step(10);
  bench.send(0, B::tail(7));
  CHECK(trace(bench, 1, 5) == "---t-");
}

TEST_CASE("packets of one input follow each other on a channel without a gap", "[golden][data]") {
  SwitchBench bench(sw(4, 1, 8));
  bench.route(1, 1u << 1);
  std::string seen;
  for (const std::uint32_t flits : {3u, 1u, 1u, 2u}) {
    for (const core::Flit& flit : B::packet(1, flits)) {
      bench.send(0, flit);
      seen += trace(bench, 1, 1);
    }
  }
  seen += trace(bench, 1, 6);
  CHECK(seen == "----hbtssht--");
}

TEST_CASE("a packet that comes in the cycle in which the tail before it is taken asks anew",
          "[golden][data]") {
  SwitchBench bench(sw(4, 1, 8));
  bench.route(1, 1u << 1);
  bench.send(0, B::single(1));
  bench.step(2);
  SECTION("its route is not there yet: two cycles less one between them") {
    bench.send(0, B::single(1));  // in 2, when the first is taken
    CHECK(trace(bench, 1, 7) == "--s-s--");
  }
  SECTION("later") {
    bench.step();
    bench.send(0, B::single(1));
    CHECK(trace(bench, 1, 7) == "-s--s--");
  }
}

TEST_CASE("packets of two inputs follow each other on a channel without a gap", "[golden][data]") {
  SwitchBench bench(sw(4, 1, 8));
  bench.route(1, 1u << 2);
  std::string seen;
  for (std::uint32_t t = 0; t < 14; ++t) {
    if (t < 3) bench.send(0, B::packet(1, 3)[t]);
    if (t >= 1 && t < 4) bench.send(1, B::packet(1, 3)[t - 1]);
    if (t >= 2 && t < 4) bench.send(3, B::packet(1, 2)[t - 2]);
    if (bench.valid(2)) bench.give_credit(2);
    seen += trace(bench, 2, 1);
  }
  CHECK(seen == "----hbthbtht--");
}

TEST_CASE("a queue whose packets go to different outputs has a gap of one cycle",
          "[golden][data]") {
  SwitchBench bench(sw(4, 1, 8));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 2);
  std::vector<std::uint32_t> taken;
  for (std::uint32_t t = 0; t < 10; ++t, bench.step()) {
    if (t < 2) bench.send(0, B::packet(1, 2)[t]);
    if (t >= 2 && t < 4) bench.send(0, B::packet(2, 2)[t - 2]);
    if (bench.credits() != 0) taken.push_back(static_cast<std::uint32_t>(bench.now()) - 1);
  }
  // The tail in 3; the next packet asks in 4 and is taken in 5.
  CHECK(taken == std::vector<std::uint32_t>{2, 3, 5, 6});
}

TEST_CASE("two virtual channels of one input send to two outputs in the same cycles",
          "[golden][data]") {
  SwitchBench bench(sw(4, 2, 4));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 2);
  bench.write(0x007, 0b0110);
  for (int n = 0; n < 4; ++n) {
    bench.send(0, B::packet(1, 4)[n], 0);
    bench.step();
    bench.send(0, B::packet(2, 4)[n], 1);
    bench.step();
  }
  bench.step(4);
  bench.write(0x007, 0);
  for (int n = 0; n < 4; ++n) {
    bench.step();
    CHECK(bench.credits() == (bit(lane_of(0, 0)) | bit(lane_of(0, 1))));
    CHECK(bench.outputs() == (n == 0 ? 0 : 0b0110));
  }
}

TEST_CASE("an output serves its virtual channels in turn, from channel 0 after reset",
          "[golden][data]") {
  SwitchBench bench(sw(5, 4, 4));
  bench.route(1, 1u << 4);
  bench.write(0x007, 1u << 4);
  for (std::uint8_t v = 0; v < 4; ++v) {
    for (int n = 0; n < 2; ++n, bench.step()) bench.send(v, B::packet(1, 2)[n], v);
  }
  bench.step(4);
  bench.write(0x007, 0);
  std::string order;
  for (int t = 0; t < 10; ++t, bench.step())
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { order += char('0' + vc_of(lane)); });
  CHECK(order == "01230123");

  // The pointer stands behind channel 3 again; one channel alone moves it behind itself.
  bench.send(0, B::single(1), 1);
  bench.step(4);
  bench.write(0x007, 1u << 4);
  for (std::uint8_t v = 0; v < 4; ++v, bench.step()) bench.send(v, B::single(1), v);
  bench.step(4);
  bench.write(0x007, 0);
  order.clear();
  for (int t = 0; t < 6; ++t, bench.step())
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { order += char('0' + vc_of(lane)); });
  CHECK(order == "2301");
}

TEST_CASE("a channel without a credit leaves its output to the others", "[golden][data]") {
  SwitchBench bench(sw(5, 2, 1));
  bench.route(1, 1u << 4);
  bench.send(0, B::head(1), 0);  // takes the only credit of channel 0
  bench.step(4);
  bench.send(0, B::tail(1), 0);
  bench.send(1, B::single(1), 1);
  bench.step(3);
  CHECK(bench.credits() == bit(lane_of(1, 1)));
  bench.step(4);
  bench.give_credit(4, 0);
  bench.step();
  CHECK(bench.credits() == bit(lane_of(0, 0)));
}

TEMPLATE_TEST_CASE("a packet takes the lowest port of its route mask", "[golden][data]",
                   SwitchBench, UnitBench) {
  TestType bench(sized<TestType>(6, 1));
  bench.route(7, 0b101100);
  const core::Flit flit = B::single(7);
  bench.send(5, flit);
  bench.step(4);
  CHECK(bench.outputs() == 0b000100);
  CHECK(bench.out(2) == flit);
}

TEST_CASE("flits without a head before them are dropped and counted, their credits return",
          "[golden][data]") {
  SwitchBench bench(sw(4, 1));
  bench.route(1, 1u << 1);
  std::uint32_t credits = 0, sent = 0, out = 0;
  const auto send = [&](const core::Flit& flit) {
    bench.send(0, flit);
    for (int t = 0; t < 6; ++t, bench.step()) {
      credits += bench.credits() != 0;
      out += bench.outputs() != 0;
    }
    ++sent;
    CHECK(credits == sent);
  };
  SECTION("with a tail, after reset") {
    send(B::body(1));
    send(B::tail(1));
  }
  SECTION("without a tail, after a packet") {
    send(B::single(1));
    CHECK(std::exchange(out, 0) == 1);
    send(B::body(1));
    send(B::body(1));
  }
  CHECK(out == 0);
  CHECK(bench.read(0x004) == 2u << 16);
  CHECK(bench.quiescent());
  send(B::single(1));  // a head begins a packet
  CHECK(out == 1);
  CHECK(bench.read(0x004) == 2u << 16);
}

TEST_CASE("a cut mark ends the packet that is open, and alone it goes nowhere", "[golden][data]") {
  SwitchBench bench(sw(4, 1));
  bench.route(0, 1u << 1);
  bench.route(1, 1u << 1);
  const core::Flit mark = core::Flit::cut_mark(0);
  std::vector<core::Flit> out;
  for (const auto& flit : {mark, B::head(1), mark, mark, B::single(1)}) {
    bench.send(0, flit);
    for (int t = 0; t < 6; ++t, bench.step())
      if (bench.outputs() != 0) out.push_back(bench.out(1));
  }
  CHECK(out == std::vector<core::Flit>{B::head(1), mark, B::single(1)});
  CHECK(bench.read(0x004) == 2u << 16);
  CHECK(bench.quiescent());
}

TEMPLATE_TEST_CASE(
    "a head inside a packet ends it with a cut mark, flits without a head are dropped",
    "[golden][data]", SwitchBench, UnitBench) {
  TestType bench(sized<TestType>(4, 1));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 2);
  std::vector<core::Flit> out;
  std::uint32_t credits = 0;
  const auto step = [&] {
    if (bench.outputs() != 0) out.push_back(bench.out(lowest(bench.outputs())));
    credits += bench.credits() != 0;
    bench.step();
  };
  for (const auto& flit : {B::body(2), B::head(1), B::head(2), B::tail(2), B::single(2)}) {
    bench.send(0, flit);
    step();
  }
  for (int t = 0; t < 12; ++t) step();
  CHECK(out == std::vector<core::Flit>{B::head(1), core::Flit::cut_mark(0), B::single(2)});
  CHECK(credits == 5);
  CHECK(bench.read(0x004) == 3u << 16);
  CHECK(bench.quiescent());
}

TEST_CASE("the route is that of the cycle in which the first flit is on the wires",
          "[golden][data]") {
  SwitchBench bench(sw(4, 1));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 1);
  bench.send(0, B::head(1));
  bench.step();
  bench.send(0, B::tail(1));
  bench.step();
  bench.send(0, B::single(2));
  bench.step();
  bench.route(1, 1u << 2);
  bench.route(2, 1u << 2);
  CHECK(trace(bench, 1, 5) == "-hts-");
  bench.send(0, B::single(2));
  bench.step(4);
  CHECK(bench.outputs() == 0b0100);
}

TEMPLATE_TEST_CASE("packets on one output channel do not mix, those on different channels may",
                   "[golden][data]", SwitchBench, UnitBench) {
  TestType bench(sized<TestType>(4, 2, 4));
  bench.route(1, 1u << 3);
  // Input 0 starts a packet on vc 0 and pauses; input 1 wants vc 0 too, input 2 uses vc 1.
  bench.send(0, B::head(1), 0);
  bench.step();
  bench.send(1, B::single(1), 0);
  bench.send(2, B::single(1), 1);
  std::uint64_t taken = 0;
  for (int t = 0; t < 10; ++t, bench.step()) taken |= bench.credits();
  CHECK(taken == (bit(lane_of(0, 0)) | bit(lane_of(2, 1))));
  if constexpr (std::is_same_v<TestType, SwitchBench>)
    CHECK_THAT(bench.describe(),
               Catch::Contains("queue 1.0: 1 flits, single flit for 1 to port 3") &&
                   !Catch::Contains("queue 2.1") &&
                   Catch::Contains("channel 3.0 owned by port 0, 3 credits, next port 1"));
  bench.send(0, B::tail(5), 0);
  bench.step(3);
  CHECK(bench.out(3) == B::tail(5));
  bench.step();
  CHECK(bench.out(3) == B::single(1));
}

TEST_CASE("a packet without a route is drained from the second cycle in front on",
          "[golden][data]") {
  SwitchBench bench(sw(4, 2, 4));
  // Port 1 interleaves two packets, port 2 sends one and another behind it.
  const auto drive = [&](std::uint64_t t) {
    if (t == 0) bench.send(1, B::head(5), 1);
    if (t == 1) bench.send(1, B::head(6), 0);
    if (t == 2) bench.send(1, B::tail(0), 0);
    if (t == 3) bench.send(1, B::tail(0), 1);
    if (t == 1) bench.send(2, B::head(7), 0);
    if (t == 2) bench.send(2, B::tail(0), 0);
    if (t == 3) bench.send(2, B::single(7), 0);
  };
  const std::uint64_t a = bit(lane_of(1, 0)), b = bit(lane_of(1, 1)), c = bit(lane_of(2, 0));
  // Taken: 1.1 in 2 and 4, 1.0 in 3 and 4, 2.0 in 3 and 4, its second packet, in front from 5,
  // in 6.
  const std::vector<std::uint64_t> credits = {0, 0, 0, b, a | c, a | b | c, 0, c, 0};
  for (std::uint64_t t = 0; t < credits.size(); ++t, bench.step()) {
    CAPTURE(t);
    CHECK(bench.credits() == credits[t]);
    // Tails taken in 4 are counted at the edge of 5, that of 6 at the edge of 7.
    CHECK(bench.read(0x004) == (t < 6 ? 0 : t < 8 ? 3 : 4));
    CHECK(bench.outputs() == 0);
    drive(t);
  }
  CHECK(bench.quiescent());
  bench.route(5, 1u << 0);
  bench.send(1, B::single(5), 1);
  bench.step(4);
  CHECK(bench.outputs() == 1);
}

TEST_CASE("a packet behind one that is drained asks when that is gone, and the other way round",
          "[golden][data]") {
  SwitchBench bench(sw(4, 1, 4));
  bench.route(1, 1u << 1);
  std::vector<std::uint32_t> taken;
  bool drained_first = false;
  SECTION("drained first") { drained_first = true; }
  SECTION("drained second") {}
  for (std::uint32_t t = 0; t < 8; ++t, bench.step()) {
    if (t == 0) bench.send(0, B::single(drained_first ? 5 : 1));
    if (t == 1) bench.send(0, B::single(drained_first ? 1 : 5));
    if (bench.credits() != 0) taken.push_back(t - 1);
  }
  CHECK(taken == std::vector<std::uint32_t>{2, 4});
}

TEMPLATE_TEST_CASE("the counter of drained packets stops at 65535", "[golden][data]", SwitchBench,
                   UnitBench) {
  TestType bench(sized<TestType>(16, 1, 4));
  for (int t = 0; t < 4200; ++t) {
    for (std::uint32_t p = 0; p < 16; ++p) bench.send(p, B::single(1));
    bench.step(3);
  }
  CHECK(bench.read(0x004) == 0xffff);
}

TEMPLATE_TEST_CASE("an address of at least Dests has no route, whatever its bits are",
                   "[golden][data]", SwitchBench, UnitBench) {
  struct Size {
    std::uint32_t dests, flit_w;
  };
  const Size size = GENERATE(Size{16, 16}, Size{17, 16}, Size{20, 21}, Size{2048, 16},
                             Size{2048, 32}, Size{4096, 18}, Size{65536, 21});
  fabric::SwitchConfig config = sized<TestType>(4, 1);
  config.dests = size.dests;
  config.flit_w = size.flit_w;
  TestType bench(config);
  for (std::uint32_t d = 0; d < size.dests; ++d) bench.route(d, 1u << 1);
  std::uint32_t outside = 0;
  for (std::uint32_t bit = 0; bit <= 16; ++bit)
    for (const std::int64_t near : {-1, 0, 1, 3}) {
      const std::int64_t destination = (std::int64_t{1} << bit) + near;
      if (destination < 0 || destination >= fabric::addresses(size.flit_w)) continue;
      CAPTURE(size.dests, size.flit_w, destination);
      core::Flit flit = B::single(0);
      flit.lo = fabric::address_bits(static_cast<std::uint32_t>(destination));
      bench.send(0, flit);
      bench.step(4);
      CHECK((bench.outputs() == 0b0010) == (destination < size.dests));
      outside += destination >= size.dests;
      if (destination < size.dests) bench.give_credit(1);
      bench.step();
    }
  CHECK(bench.read(0x004) == outside);
}

}  // namespace
}  // namespace muster::golden
