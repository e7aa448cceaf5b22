// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "Vendpoint_v1.h"
#include "Vendpoint_v2.h"
#include "Vendpoint_v3.h"
#include "Vendpoint_w80.h"
#include "rtl/clocked.hpp"
#include "rtl/wrap/endpoint_bench.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;
using namespace muster::test::endpoint;

namespace {

constexpr unsigned kControl = 0x40, kArrive = 0x41, kStatus = 0x42, kResult = 0x43;
constexpr unsigned kDrops = 0x10, kStreamDrops = 0x11, kAddress = 0x08;
constexpr std::uint32_t kMember = 1u << 31, kIrq = 1u << 30, kCheck = 1u << 31;
constexpr std::uint32_t kWaiting = 1, kReleased = 2, kRefused = 4, kControlRefused = 8;
constexpr std::uint32_t kDraining = 16, kAbandon = 1u << 8, kRewritten = 1u << 9;

using Small = Endpoint<Vendpoint_v1, 1, 1, 16, 1, 0, 64, 0>;
using Large = Endpoint<Vendpoint_v2, 2, 4, 32, 3, 1, 50000, 200>;

}  // namespace

TEMPLATE_TEST_CASE("an endpoint sends beats as packets and receives packets as beats",
                   "[rtl][wrap]", Small, Large) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Bench<TestType> bench(seed);
  std::vector<Packet> sent, from_switch;
  const unsigned destinations = TestType::kDests;
  for (const unsigned rate : {100u, 30u, 60u}) {
    bench.offers = bench.takes = bench.returns = bench.sends = rate;
    for (int i = 0; i < 150; ++i) {
      sent.push_back(bench.some_packet(destinations));
      bench.send(sent.back());
      from_switch.push_back(bench.some_packet(destinations));
      bench.from_switch(from_switch.back());
    }
    bench.finish(60);
  }
  REQUIRE((bench.on_link == sent));
  REQUIRE((by_channel(bench.received) == by_channel(from_switch)));
  REQUIRE(bench.read(kDrops) == 0);
  REQUIRE(bench.dut->quiescent_o);
}

TEMPLATE_TEST_CASE("an endpoint arrives by one store, whatever its streams do, and is released",
                   "[rtl][wrap]", Small, Large) {
  using T = TestType;
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Bench<T> bench(seed);
  constexpr unsigned kLast = T::kGroups - 1, kAt = 8 * kLast, kGid = 0x5A;
  bench.write(kControl + kAt, kMember | kIrq | kGid);
  REQUIRE(bench.read(kControl + kAt) == (kMember | kIrq | kGid));
  for (std::uint32_t barrier = 0; barrier < 40; ++barrier) {
    for (int i = 0; i < 3; ++i) {
      bench.send(bench.some_packet(64));
      bench.from_switch(bench.some_packet(64));
    }
    const std::uint32_t data = static_cast<std::uint32_t>(bench.rng.next()),
                        mask = (1u << T::kDataW) - 1;
    bench.write(kArrive + kAt, data);
    REQUIRE((bench.read(kStatus + kAt) & 7) == kWaiting);
    REQUIRE(!bench.dut->irq_o);  // an arrival clears what was released
    const std::size_t before = bench.messages.size();
    while (bench.messages.size() == before) bench.cycle();
    REQUIRE(bench.messages.back() == (std::uint64_t{kGid} << T::kDataW | (data & mask)));
    // Split phase: much later.
    for (std::uint64_t i = bench.rng.below(30); i > 0; --i) bench.cycle();
    bench.release(kGid, ~data & mask);
    while (!bench.dut->irq_o) bench.cycle();
    REQUIRE(bench.read(kResult + kAt) == (~data & mask));
    REQUIRE(bench.read(kStatus + kAt) == (kReleased | (barrier + 1) << 16));
    REQUIRE(bench.read(0x003) == 1u << kLast);
    if (barrier % 2 == 0) {
      bench.write(kStatus + kAt, kReleased);
      REQUIRE((bench.read(kStatus + kAt) & 7) == 0);
      REQUIRE(!bench.dut->irq_o);
    }
  }
  while (!bench.idle()) bench.cycle();
  REQUIRE(bench.messages.size() == 40);
  REQUIRE(bench.read(kDrops) == 0);
}

TEST_CASE("an endpoint's barrier message waits for one flit of data at most", "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  bench.write(kControl, kMember | 7);
  const auto stored_to_wires = [&] {
    const int stored = bench.now;
    bench.write(kArrive, 0);
    const std::size_t before = bench.messages.size();
    while (bench.messages.size() == before) bench.cycle();
    bench.release(7);
    bench.cycles(4);
    return bench.message_at - stored;
  };
  REQUIRE(stored_to_wires() == 2);
  for (int i = 0; i < 60; ++i) bench.send(bench.some_packet(64));
  for (int i = 0; i < 20; ++i) {
    const int took = stored_to_wires();
    REQUIRE((took == 2 || took == 3));
  }
}

TEST_CASE("an endpoint's cycles are those of its header", "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  auto& dut = bench.dut;
  SECTION("a stream to the link") {
    bench.send({1, 3, 0, {0x11, 0x22}});
    dut->s_axis_tvalid_i = 1;
    std::vector<int> taken, on_wires;
    for (int t = 0; t < 8; ++t) {
      const std::size_t flits =
          bench.on_link.size() + (bench.on_link.empty() ? 0 : bench.on_link[0].beats.size());
      bench.cycle();
      if (bench.on_link.size() + (bench.on_link.empty() ? 0 : bench.on_link[0].beats.size()) >
          flits)
        on_wires.push_back(t);
      if (bench.idle() && taken.empty()) taken.push_back(t);
    }
    REQUIRE(on_wires == std::vector<int>{2, 3, 4});
    REQUIRE(taken == std::vector<int>{2});  // the last beat
  }
  SECTION("the link to a stream") {
    bench.from_switch(Packet{0, 9, 0, {0x33, 0x44}});
    bench.cycle();  // the head is on the wires in the next, 1
    std::vector<int> valid;
    for (int t = 1; t < 8; ++t) {
      bench.cycle();
      if (bench.received.size() == 1 && bench.received[0].beats.size() > valid.size())
        valid.push_back(t);
    }
    REQUIRE(valid == std::vector<int>{3, 4});
  }
  SECTION("a release to the status") {
    bench.write(kControl, kMember | kIrq | 7);
    bench.write(kArrive, 0);
    bench.cycles(5);
    bench.release(7);
    bench.cycle();
    dut.settle();
    REQUIRE((dut->rx_valid_i && !dut->irq_o));
    bench.cycle();
    dut.settle();
    REQUIRE(dut->irq_o);
  }
}

TEST_CASE("an endpoint counts what it drops and refuses", "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  const auto run = [&] { bench.finish(20); };
  const auto drops = [&] {
    const std::uint32_t word = bench.read(kDrops);
    bench.write(kDrops, 0);
    REQUIRE(bench.read(kDrops) == 0);
    return word;
  };
  SECTION("arrivals without a member, and while a barrier is under way") {
    bench.write(kArrive, 1);
    REQUIRE((bench.read(kStatus) & 7) == kRefused);
    bench.write(kControl, kMember | 7);
    REQUIRE(bench.read(kStatus) == 0);
    bench.write(kArrive, 1);
    bench.write(kArrive, 2);
    bench.write(kArrive, 3);
    run();
    REQUIRE(bench.messages == std::vector<std::uint64_t>{7u << 22 | 1});
    REQUIRE((bench.read(kStatus) & 7) == (kWaiting | kRefused));
    bench.write(kStatus, kRefused);
    REQUIRE((bench.read(kStatus) & 7) == kWaiting);
    REQUIRE(drops() == 3u << 16);
  }
  SECTION("messages of other groups, of the wrong type, and out of phase") {
    bench.write(kControl, kMember | 7);
    bench.release(8);
    bench.release(7);
    bench.from_switch(Flit{0, kSync, 7u << 22});  // a reduction
    run();
    REQUIRE(drops() == 3u << 24);
    REQUIRE(bench.read(kStatus) == 0);
  }
  SECTION("packets for another address, without a beat, and flits without a head") {
    bench.write(kAddress, kCheck | 5);
    bench.from_switch(Packet{0, 5, 0, {1, 2}});
    bench.from_switch(Packet{1, 6, 0, {3, 4}});
    bench.from_switch(Flit{0, kHead | kTail, 5});
    bench.from_switch(Flit{0, 0, 9});
    bench.from_switch(Flit{0, kTail, 9});
    bench.from_switch(Flit{0, kHead | kTail, 31 << 11});  // a cut mark
    bench.from_switch(Packet{1, 5, 3, {6}});
    run();
    REQUIRE((by_channel(bench.received) == std::vector<Packet>{{0, 5, 0, {1, 2}}, {1, 5, 3, {6}}}));
    REQUIRE(drops() == (2u << 8 | 3u));
    REQUIRE(bench.read(kStreamDrops) == 0);
  }
  SECTION("up to 255 of each") {
    for (int i = 0; i < 300; ++i) bench.release(9);
    run();
    REQUIRE(drops() == 255u << 24);
  }
}

TEST_CASE("an endpoint keeps an arrival whatever its control word is written with", "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  const auto run = [&] { bench.cycles(10); };
  const auto state = [&] { return bench.read(kStatus) & 0xffff; };
  bench.write(kControl, kMember | 7);
  bench.write(kArrive, 1);
  SECTION("another identifier, or none, is refused and says so") {
    run();
    for (const std::uint32_t word : {kMember | 8, 0u, 7u, kMember | kIrq | 8}) {
      bench.write(kControl, word);
      REQUIRE(bench.read(kControl) == (kMember | 7));
      REQUIRE(state() == (kWaiting | kControlRefused));
      bench.write(kStatus, kControlRefused);
      REQUIRE(state() == kWaiting);
    }
    REQUIRE(bench.read(kStreamDrops) == 4u << 24);
    bench.write(kStreamDrops, 0);
    REQUIRE(bench.read(kStreamDrops) == 0);
    bench.release(7, 5);
    run();
    REQUIRE(bench.read(kStatus) == (kReleased | 1u << 16));
    bench.write(kControl, kMember | 8);
    REQUIRE(bench.read(kControl) == (kMember | 8));
    REQUIRE(bench.read(kStatus) == 0);
  }
  SECTION("in the cycle of its release too") {
    run();
    bench.release(7, 5);
    bench.cycle();
    REQUIRE(bench.dut->rx_valid_i);
    bench.write(kControl, kMember | 8);
    REQUIRE(bench.read(kStatus) == (kReleased | kControlRefused | 1u << 16));
    REQUIRE(bench.read(kResult) == 5);
  }
  SECTION("the interrupt is switched at any time") {
    bench.write(kControl, kMember | kIrq | 7);
    REQUIRE(state() == kWaiting);
    bench.release(7, 5);
    run();
    REQUIRE(bench.dut->irq_o);
    bench.write(kControl, kMember | 7);
    REQUIRE(!bench.dut->irq_o);
    REQUIRE(bench.read(kStatus) == (kReleased | 1u << 16));
    REQUIRE(bench.read(kResult) == 5);
  }
  SECTION("an identifier that no message can have is refused") {
    constexpr unsigned kAt = 8;  // of a group that is idle
    const auto refuses = [&](std::uint32_t word, std::uint32_t control) {
      bench.write(kStreamDrops, 0);
      bench.write(kControl + kAt, word);
      REQUIRE(bench.read(kControl + kAt) == control);
      REQUIRE(bench.read(kStatus + kAt) == kControlRefused);
      REQUIRE(bench.read(kStreamDrops) == 1u << 24);
      bench.write(kStatus + kAt, kControlRefused);
    };
    for (const std::uint32_t gid : {0x100u, 0x105u, 0x800u, 0xFFFu}) {
      refuses(kMember | gid, 0);
      refuses(gid, 0);
    }
    bench.write(kControl + kAt, kMember | 5);
    refuses(kMember | kIrq | 0x105, kMember | 5);
    refuses(0x205, kMember | 5);
  }
  SECTION("another group cannot take its identifier") {
    bench.write(kControl + 8, kMember | 7);
    REQUIRE(bench.read(kControl + 8) == 0);
    REQUIRE(bench.read(kStatus + 8) == kControlRefused);
    bench.write(kControl + 8, kMember | 8);
    REQUIRE(bench.read(kControl + 8) == (kMember | 8));
  }
}

TEST_CASE("an endpoint gives an arrival up when it is told to, and its release ends no other",
          "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  const auto run = [&] { bench.cycles(10); };
  bench.write(kControl, kMember | kIrq | 7);
  const auto give_up = [&] {
    bench.write(kArrive, 1);
    run();
    bench.write(kStatus, kAbandon);
    REQUIRE(bench.read(kStatus) == kDraining);
    bench.write(kArrive, 2);
    bench.write(kControl, kMember | 8);
    bench.write(kControl, 0);
    run();
    REQUIRE(bench.messages.size() == 1);
    REQUIRE(bench.read(kControl) == (kMember | kIrq | 7));
    REQUIRE(bench.read(kStatus) == (kDraining | kRefused | kControlRefused));
    bench.write(kStatus, kRefused | kControlRefused);
  };
  SECTION("until its release has come") {
    give_up();
    bench.release(7, 3);
    run();
    REQUIRE(!bench.dut->irq_o);
    REQUIRE(bench.read(kStatus) == 0);
    REQUIRE(bench.read(kResult) == 0);
    bench.write(kArrive, 2);
    run();
    REQUIRE(bench.read(kStatus) == kWaiting);
    bench.release(7, 4);
    run();
    REQUIRE(bench.read(kStatus) == (kReleased | 1u << 16));
    REQUIRE(bench.read(kResult) == 4);
    REQUIRE(bench.read(kDrops) == 1u << 16);
  }
  SECTION("or the tree has been written anew") {
    give_up();
    bench.write(kStatus, kRewritten);
    REQUIRE(bench.read(kStatus) == 0);
    bench.write(kControl, kMember | 8);
    REQUIRE(bench.read(kControl) == (kMember | 8));
    bench.release(7);
    run();
    REQUIRE(bench.read(kStatus) == 0);
  }
  SECTION("and in the cycle of its release it is too late") {
    bench.write(kArrive, 1);
    run();
    bench.release(7, 3);
    bench.cycle();
    bench.write(kStatus, kAbandon);
    REQUIRE(bench.read(kStatus) == (kReleased | 1u << 16));
  }
  SECTION("a message that has not been sent is not") {
    bench.returns = 0;  // the pocket's credit does not come back
    bench.write(kArrive, 1);
    run();
    bench.release(7);
    run();
    bench.write(kArrive, 2);
    run();
    REQUIRE((bench.read(kStatus) & 0xff) == kWaiting);
    bench.write(kStatus, kAbandon);
    REQUIRE(bench.read(kStatus) == 1u << 16);
    bench.returns = 100;
    run();
    REQUIRE(bench.messages.size() == 1);
    bench.write(kArrive, 3);
    run();
    REQUIRE(bench.messages.size() == 2);
  }
}

TEST_CASE("an endpoint discards packets for destinations and channels that there are not",
          "[rtl][wrap]") {
  Bench<Small> bench(muster_seed());
  bench.returns = 0;  // its one credit is spent with the first head
  const Packet last{0, 63, 30, {1, 2}};
  unsigned discarded = 0;
  for (const Packet& packet :
       {Packet{0, 64, 0, {1, 2, 3}}, Packet{0, 67, 0, {1}}, Packet{0, 129, 0, {1, 2}},
        Packet{0, 2051, 0, {1, 2}}, Packet{0, 65535, 0, {1}}, Packet{1, 3, 0, {1, 2}},
        Packet{0, 3, 31, {1, 2}}}) {
    bench.send(packet);
    const int begins = bench.now;
    while (!bench.idle()) bench.cycle();
    REQUIRE(bench.now - begins == static_cast<int>(packet.beats.size()) + 1);
    REQUIRE(bench.read(kStreamDrops) == ++discarded);
  }
  bench.send(last);
  bench.returns = 100;
  bench.finish(10);
  REQUIRE((bench.on_link == std::vector<Packet>{last}));
  REQUIRE(bench.read(kStreamDrops) == discarded);
  REQUIRE(bench.dut->quiescent_o);
}

TEST_CASE("an endpoint ends a packet whose sender stops, and discards the rest", "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  const std::size_t stops = GENERATE(0, 1, 3);  // beats that come
  const Packet late{1, 5, 2, {1, 2, 3, 4, 5}}, next{0, 6, 3, {7, 8}};
  Packet cut{1, 5, 2, {}, true};
  cut.beats.assign(late.beats.begin(), late.beats.begin() + static_cast<int>(stops));
  cut.beats.push_back(31 << 11);
  bench.send(late);
  bench.send(next);
  if (stops == 0) {  // the first beat is withdrawn, as by a reset of its sender
    bench.dut->s_axis_tvalid_i = 1;
    bench.cycle();
    bench.withdraw();
  }
  bench.stops_at = stops;
  bench.cycles(190);
  REQUIRE(bench.read(kStreamDrops) == 0);
  REQUIRE(!bench.dut->quiescent_o);
  bench.cycles(30);
  REQUIRE((bench.on_link == std::vector<Packet>{cut}));
  REQUIRE(bench.read(kStreamDrops) == 1u << 8);
  REQUIRE(bench.dut->quiescent_o);
  bench.stops_at.reset();
  bench.finish(10);
  REQUIRE((bench.on_link == std::vector<Packet>{cut, next}));
  REQUIRE(bench.read(kStreamDrops) == 1u << 8);
}

TEST_CASE("an endpoint waits for credits without end", "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  bench.returns = 0;
  const Packet packet{1, 5, 2, {1, 2, 3, 4, 5}};
  bench.send(packet);
  bench.cycles(1000);
  bench.returns = 100;
  bench.finish(10);
  REQUIRE((bench.on_link == std::vector<Packet>{packet}));
  REQUIRE(bench.read(kStreamDrops) == 0);
}

TEMPLATE_TEST_CASE("an endpoint marks a packet that was cut, whatever else the mark says",
                   "[rtl][wrap]", Small, Large) {
  Bench<TestType> bench(muster_seed());
  constexpr unsigned kWord = 31 << 11;
  // The bench has the opcode of the first beat: 31 where that is the mark.
  const std::vector<Packet> packets{
      {0, 5, 2, {1, 2, kWord}, true}, {0, 5, 31, {kWord | 5}, true}, {0, 5, 4, {1, kWord}}};
  for (const Packet& packet : packets) bench.from_switch(packet);
  bench.finish(20);
  REQUIRE((bench.received == packets));
  REQUIRE(bench.read(kStreamDrops) == 2u << 16);
  REQUIRE(bench.read(kDrops) == 0);
}

TEST_CASE("an endpoint with an address drops packets for others from reset on", "[rtl][wrap]") {
  using T = Endpoint<Vendpoint_v3, 3, 2, 20, 8, 0, 32768, 1, 9>;
  Bench<T> bench(muster_seed());
  REQUIRE(bench.read(kAddress) == (kCheck | 9));
  const Packet mine{2, 9, 2, {1, 2}};
  bench.from_switch(Packet{2, 9 | 1u << 14, 2, {3}});
  bench.from_switch(mine);
  bench.finish(20);
  REQUIRE((bench.received == std::vector<Packet>{mine}));
  REQUIRE(bench.read(kDrops) == 1u << 8);
}

TEST_CASE("an endpoint drops every packet if no head can have its address", "[rtl][wrap]") {
  Bench<Small> bench(muster_seed());
  bench.write(kAddress, kCheck | 2051);  // 3 and a bit that a flit of 16 bits does not have
  REQUIRE(bench.read(kAddress) == (kCheck | 2051));
  bench.from_switch(Packet{0, 3, 0, {1, 2}});
  bench.finish(20);
  REQUIRE(bench.received.empty());
  REQUIRE(bench.read(kDrops) == 1u << 8);
}

TEST_CASE("an endpoint says what it is", "[rtl][wrap]") {
  Bench<Large> bench(muster_seed());
  REQUIRE(bench.read(0x000) == 0x4D530905);
  REQUIRE(bench.read(0x001) == 0x03040201);
  REQUIRE(bench.read(0x002) == (22u << 16 | 8u << 8 | 32u));
  REQUIRE(bench.read(0x004) == 0);
  REQUIRE(bench.read(0x058) == 0);  // a group that it does not have
}

TEST_CASE("an endpoint keeps as many bits of data as a message has", "[rtl][wrap]") {
  Clocked<Vendpoint_w80> dut(muster_seed());
  dut->s_axis_tvalid_i = dut->reg_valid_i = dut->tx_credit_i = dut->rx_valid_i = 0;
  dut->m_axis_tready_i = 1;
  dut.reset();
  const auto write = [&](unsigned address, std::uint32_t word) {
    verif::clock_write(*dut, address, word);
  };
  const auto read = [&](unsigned address) { return verif::read_now(*dut, address); };
  write(kControl, kMember | 3);
  write(0x44, 0x89ABCDEF);
  write(0x45, 0xFFFFFFFF);
  REQUIRE(read(0x45) == 0x3F);  // 70 bits
  write(kArrive, 0x01234567);
  for (int i = 0; i < 2 && !dut->tx_valid_o; ++i) {
    dut.settle();
    dut.edge();
  }
  dut.settle();
  REQUIRE((dut->tx_valid_o && dut->tx_kind_o == kSync));
  REQUIRE(get(dut->tx_payload_o) == Word{0x01234567, 0x89ABCDEF, 3u << 6 | 0x3F});
  dut.edge();
  dut->rx_valid_i = 1;
  dut->rx_kind_i = kSync;
  put(dut->rx_payload_i, Word{0x11111111, 0x22222222, 1u << 14 | 3u << 6 | 0x15});
  dut.settle();
  dut.edge();
  dut->rx_valid_i = 0;
  REQUIRE(read(0x43) == 0x11111111);
  REQUIRE(read(0x46) == 0x22222222);
  REQUIRE(read(0x47) == 0x15);
}
