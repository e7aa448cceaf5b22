// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "fabric/golden/lanes.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {

/// Sources that always have a packet: each fills its queue with packets of two flits for port 0 and
/// keeps to its credits. The tail's payload names the source.
template <class Bench>
class PacketSources {
 public:
  PacketSources(Bench& bench, std::uint32_t depth) : bench_(bench), depth_(depth) {}
  void add(std::uint32_t port, std::uint8_t vc) { lanes_[lane_of(port, vc)] = {depth_, false}; }

  void step() {
    for (auto& [lane, source] : lanes_) {
      if (has(bench_.credits(), lane)) ++source.credits;
    }
    std::uint32_t sent = 0;  // a port carries one flit a cycle
    for (auto& [lane, source] : lanes_) {
      if (source.credits == 0 || has(sent, port_of(lane))) continue;
      sent |= 1u << port_of(lane);
      const auto vc = static_cast<std::uint8_t>(vc_of(lane));
      bench_.send(port_of(lane), source.open ? Bench::tail(lane) : Bench::head(1), vc);
      source.open = !source.open;
      --source.credits;
    }
    bench_.step();
  }

 private:
  struct Source {
    std::uint32_t credits;
    bool open;  ///< the head has been sent
  };
  Bench& bench_;
  std::uint32_t depth_;
  std::map<std::uint32_t, Source> lanes_;
};

// docs/systems/barrier-switch.md, Data, "Owner and next".
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

TEMPLATE_TEST_CASE(
    "a channel short of credits serves all inputs in turn while another keeps its port busy",
    "[golden][order]", SwitchBench, UnitBench) {
  TestType bench(sized<TestType>(8, 2, 4));
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

// docs/systems/data-path.md, "Owner and next".

using U = UnitBench;

/// Port 1 owns a channel with an open packet; ports 5, 2 and 7 come to wait one after the other.
/// The order in which the four are served.
std::string order_served(std::uint32_t vcs) {
  UnitBench bench(unit(8, vcs, 4));
  bench.route(1, 1);
  bench.send(1, U::head(1));
  bench.step(3);
  for (const std::uint32_t port : {5u, 2u, 7u}) {
    bench.send(port, U::single(1));
    bench.step(3);
  }
  bench.send(1, U::tail(0));
  std::string order;
  for (std::uint32_t t = 0; t < 12; ++t) {
    if (bench.valid(0)) bench.give_credit(0);
    bench.step();
    for (std::uint32_t port = 1; port < 8; ++port) {
      if (has(bench.credits(), lane_of(port, 0))) order += std::to_string(port);
    }
  }
  return order;
}

TEST_CASE("DataPath: the next of a channel is the waiting input at or after its pointer",
          "[golden][order]") {
  // 5 waited first and became the next; the pointer then stood at 6: 7 before 2.
  CHECK(order_served(2) == "1572");
}

TEST_CASE(
    "DataPath: one virtual channel is served in order from its last owner, not by time of arrival",
    "[golden][order]") {
  CHECK(order_served(1) == "1257");
}

TEST_CASE("DataPath: a free channel is kept for its next while it has no credit",
          "[golden][order]") {
  UnitBench bench(unit(8, 2, 3));
  bench.route(1, 1);
  for (int n = 0; n < 3; ++n, bench.step(3)) bench.send(1, U::single(1));  // all credits
  bench.send(6, U::single(1));  // waits, and is the next before 2 has come
  bench.step(3);
  bench.send(2, U::single(1));
  bench.step(3);
  bench.give_credit(0);
  bench.step(2);
  CHECK(bench.credits() == bit(lane_of(6, 0)));
}

/// What passes port 0 from now on, a letter a cycle: b barrier, d data, - nothing.
std::string sent_in(SwitchBench& bench, std::uint32_t cycles, bool return_credits = true) {
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
    seen += sent_in(bench, 1, return_credits);
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
  CHECK(sent_in(bench, 8) == "--dddd--");

  SwitchBench late(sw(8, 2, 16));
  CHECK(mixed(late, 4, 0, 0, 4) == "----");  // allocated in 2 and 3
  late.write(0x007, 1);
  CHECK(sent_in(late, 8) == "dd------");
  late.write(0x007, 2);  // another one
  CHECK(sent_in(late, 6) == "--dd--");
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
