// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "rtl/nic_engine_bench.hpp"

// Collective barriers of one NIC, against the tables and examples of docs/systems/nic-engine.md.
using namespace muster::test;

namespace {

constexpr std::uint32_t kPeer = 3;
constexpr std::uint8_t kGroup = 7;

/// Waits for node 3, then answers it: entry 1 of node 3 waits for entry 1 here.
const std::vector<std::uint32_t> kWaitAndSend = {wait_for(kPeer, 0, 1), last(send_to(kPeer, 1, 0))};
/// Sends, then waits for node 3.
const std::vector<std::uint32_t> kSendAndWait = {send_to(kPeer, 0, 1), last(wait_for(kPeer, 1, 0))};

constexpr std::uint32_t done(std::uint32_t context, std::uint32_t number) {
  return context << 16 | number;
}

}  // namespace

TEST_CASE("a STEP triggers the next five cycles after its tail, its last one the event in four",
          "[rtl][nic]") {
  EngineBench nic;
  nic.load(0, kWaitAndSend, kGroup, 1);
  nic.start(0, 3);
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup, 1));
  const std::uint64_t tail = nic.cycle() + 4;
  nic.steps(20);
  REQUIRE(nic.sent.size() == 1);
  CHECK(nic.sent[0].cycle == tail + 5);
  CHECK(nic.sent[0].message == from_node(NicType::kStep, kPeer, 1, kGroup, 1));
  // Complete at the edge at which the STEP is granted, tail + 3.
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].cycle == tail + 5);
  CHECK(nic.events[0].word == done(0, 1));
  CHECK(nic.quiescent());
}

TEST_CASE("a doorbell sends after three cycles, and the awaited STEP completes after four",
          "[rtl][nic]") {
  EngineBench nic;
  nic.load(1, kSendAndWait, kGroup, 2);
  const std::uint64_t bell = nic.cycle();
  nic.start(1, 20);
  REQUIRE(nic.sent.size() == 1);
  CHECK(nic.sent[0].cycle == bell + 3);
  CHECK(nic.sent[0].message == from_node(NicType::kStep, kPeer, 0, kGroup, 2));
  CHECK(nic.quiescent());  // no timeout: it stands
  nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, 2));
  const std::uint64_t tail = nic.cycle() + 4;
  nic.steps(12);
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].cycle == tail + 4);
  CHECK(nic.events[0].word == done(1, 2));
}

TEST_CASE("a packet is a message with the right destination and CRC only", "[rtl][nic]") {
  EngineBench nic;
  nic.load(0, kWaitAndSend, kGroup, 1);
  auto message = to_node(NicType::kStep, kPeer, 0, kGroup, 1);
  message.destination = 4;
  nic.send(message);
  nic.steps(8);
  CHECK(nic.read(regs::kDrops) == 1);
  CHECK(nic.read(regs::received(0)) == 0);
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup + 1, 1));  // no such group
  nic.send(to_node(NicType::kStep, 2, 0, kGroup, 1));          // another peer
  nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, 1));      // a send
  nic.send(to_node(NicType::kNack, kPeer, 0, kGroup, 1));      // a wait
  nic.send(to_node(NicType::kStep, kPeer, 4, kGroup, 1));      // no entry
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup, 3));      // of no barrier at hand
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup, 1));
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup, 1));  // once more
  nic.steps(50);
  CHECK(nic.read(regs::kDrops) == (2u << 16 | 5u << 8 | 1));
  CHECK(nic.read(regs::received(0)) == 1);
  CHECK(nic.sent.empty());
}

TEST_CASE("a STEP for the next barrier waits for it, and numbers wrap", "[rtl][nic]") {
  EngineBench nic;
  nic.load(0, kSendAndWait, kGroup, 3);
  nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, 0));  // of the barrier after 3
  nic.steps(8);
  CHECK(nic.read(regs::received(0)) == 0);
  for (std::uint32_t barrier = 3; barrier < 12; ++barrier) {
    CAPTURE(barrier);
    nic.start(0);
    if (barrier != 4) {  // its STEP was early
      nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, barrier & 3));
    }
    nic.steps(20);
    REQUIRE(nic.events.size() == barrier - 2);
    CHECK(nic.events.back().word == done(0, barrier & 3));
    REQUIRE(nic.sent.size() == barrier - 2);
    CHECK(nic.sent.back().message.barrier == (barrier & 3));
  }
  CHECK(nic.read(regs::kDrops) == 0);
}

TEST_CASE("a STEP that comes with the doorbell, or with the end of the barrier before, is kept",
          "[rtl][nic]") {
  for (unsigned offset = 0; offset < 8; ++offset) {
    CAPTURE(offset);
    EngineBench nic;
    nic.load(0, kSendAndWait, kGroup, 0);
    nic.write(regs::doorbell(0), regs::kContextsDoorbellStarts.mask());
    nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, 0));
    for (unsigned i = 0; i < 6 + offset; ++i) {
      if (i == 5) nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, 1));
      nic.step();
    }
    if (nic.events.empty()) nic.steps(4);
    nic.start(0, 30);
    REQUIRE(nic.events.size() == 2);
    CHECK(nic.events[1].word == done(0, 1));
    CHECK(nic.read(regs::kRefused) == 0);
  }
}

TEST_CASE("a NACK is answered from this barrier and the one before", "[rtl][nic]") {
  EngineBench nic;
  nic.load(0, kSendAndWait, kGroup, 0);
  const auto nack = [&](std::uint8_t barrier) {
    nic.sent.clear();
    nic.send(to_node(NicType::kNack, kPeer, 0, kGroup, barrier));
    nic.steps(20);
    return nic.sent.empty() ? std::nullopt : std::optional(nic.sent[0].message.type);
  };
  CHECK(nack(0) == NicType::kNotYet);
  CHECK(nack(1) == NicType::kNotYet);
  CHECK(nack(3) == std::nullopt);  // no barrier has been completed
  nic.start(0, 20);
  CHECK(nack(0) == NicType::kStep);
  nic.send(to_node(NicType::kStep, kPeer, 1, kGroup, 0));
  nic.steps(20);
  REQUIRE(nic.events.size() == 1);
  CHECK(nack(0) == NicType::kStep);  // the one before, now
  CHECK(nack(1) == NicType::kNotYet);
  CHECK(nack(2) == NicType::kNotYet);
  CHECK(nack(3) == std::nullopt);
}

TEST_CASE("a silent peer is asked after T, then 2 T cycles, and declared dead", "[rtl][nic]") {
  EngineBench nic;
  nic.store(regs::kTimes, regs::times_word(10, 1, 0));
  nic.load(0, {last(wait_for(kPeer, 2, 0))}, kGroup, 1);
  const std::uint64_t bell = nic.cycle();
  nic.start(0, 60);
  REQUIRE(nic.sent.size() == 1);
  CHECK(nic.sent[0].cycle == bell + 1 + 10 + 2);
  CHECK(nic.sent[0].message == from_node(NicType::kNack, kPeer, 2, kGroup, 1));
  REQUIRE(nic.events.size() == 1);
  // Granted in bell + 11; from then on 20 cycles, and the one in which it fails.
  CHECK(nic.events[0].cycle == bell + 12 + 20 + 2);
  CHECK(nic.events[0].word == (1u << 29 | kPeer));
  CHECK(nic.quiescent());

  // Late is not lost: it goes on where it was.
  nic.send(to_node(NicType::kStep, kPeer, 0, kGroup, 1));
  nic.steps(8);
  nic.start(0, 8);
  REQUIRE(nic.events.size() == 2);
  CHECK(nic.events[1].word == done(0, 1));
}

TEST_CASE("NOT-YET keeps a peer alive", "[rtl][nic]") {
  EngineBench nic;
  nic.store(regs::kTimes, regs::times_word(20, 1, 0));
  nic.load(0, {last(wait_for(kPeer, 2, 0))}, kGroup, 1);
  nic.start(0);
  for (unsigned round = 0; round < 5; ++round) {
    nic.steps(40);
    REQUIRE(nic.sent.size() == round + 1);
    nic.send(to_node(NicType::kNotYet, kPeer, 0, kGroup, 1));
  }
  CHECK(nic.events.empty());
  nic.steps(100);
  CHECK(nic.events.size() == 1);
}

TEST_CASE("NACKs of all contexts are a gap apart", "[rtl][nic]") {
  EngineBench nic;
  constexpr std::uint32_t kGap = 40;
  nic.store(regs::kTimes, regs::times_word(3, 15, kGap));
  for (std::uint32_t c = 0; c < 2; ++c) {
    nic.load(c, {last(wait_for(kPeer, 2, 0))}, static_cast<std::uint8_t>(kGroup + c), 0);
    nic.start(c);
  }
  nic.steps(400);
  REQUIRE(nic.sent.size() > 5);
  unsigned closest = 1000;
  for (unsigned i = 1; i < nic.sent.size(); ++i)
    closest = std::min(closest, static_cast<unsigned>(nic.sent[i].cycle - nic.sent[i - 1].cycle));
  CHECK(closest == kGap + 1);
}

TEST_CASE("a released context answers until its quiet time is over", "[rtl][nic]") {
  EngineBench nic;
  nic.store(regs::kQuiet, 50);
  nic.load(0, {last(send_to(kPeer, 0, 0))}, kGroup, 0);
  nic.start(0, 20);
  const std::uint64_t bell = nic.cycle();
  nic.store(regs::doorbell(0), regs::kContextsDoorbellReleases.mask());
  CHECK_FALSE(nic.quiescent());
  nic.send(to_node(NicType::kNack, kPeer, 0, kGroup, 0));
  nic.steps(60);
  REQUIRE(nic.sent.size() == 2);
  CHECK(nic.sent[1].message == from_node(NicType::kStep, kPeer, 0, kGroup, 0));
  REQUIRE(nic.events.size() == 2);
  CHECK(nic.events[1].word == 2u << 29);
  CHECK(nic.events[1].cycle == bell + 1 + 50 + 2);
  CHECK(nic.read(regs::control(0)) >> 28 == 0);
  nic.send(to_node(NicType::kNack, kPeer, 0, kGroup, 0));
  nic.steps(10);
  CHECK(nic.sent.size() == 2);
  CHECK(nic.read(regs::kDrops) == 1u << 8);
}

TEST_CASE("an event waits for the host, and a doorbell for the event", "[rtl][nic]") {
  EngineBench nic;
  nic.ready = false;
  for (std::uint32_t c = 0; c < 2; ++c) {
    nic.load(c, {last(send_to(kPeer, 0, 0))}, static_cast<std::uint8_t>(kGroup + c), 0);
    nic.start(c);
  }
  nic.steps(30);
  // The event of context 0 is at the port, that of context 1 waits in the context.
  nic.start(1);
  CHECK(nic.read(regs::kRefused) == 1);
  nic.start(0, 30);
  CHECK(nic.read(regs::kRefused) == 1);
  nic.ready = true;
  nic.steps(5);
  REQUIRE(nic.events.size() == 3);
  CHECK(nic.events[0].word == done(0, 0));
  CHECK(nic.events[1].word == done(0, 1));  // the lowest context first
  CHECK(nic.events[2].word == done(1, 0));
}

TEST_CASE("replies beyond four that wait are dropped", "[rtl][nic]") {
  EngineBench nic;
  nic.credits = false;  // four flits go, the fifth does not
  nic.load(0, {last(send_to(kPeer, 0, 0))}, kGroup, 0);
  for (unsigned i = 0; i < 8; ++i) nic.send(to_node(NicType::kNack, kPeer, 0, kGroup, 0));
  nic.steps(60);
  CHECK(nic.read(regs::kDrops) == 3u << 24);  // one is being sent
  nic.credits = true;
  nic.steps(60);
  CHECK(nic.sent.size() == 5);
  CHECK(nic.quiescent());
}

// Chained remote writes of one NIC, against the tables and rules of docs/systems/nic-events.md.

namespace {

/// An event without a write, and one whose descriptor counts event `slot` of a peer.
constexpr std::uint32_t event(std::uint32_t need, std::uint32_t next) {
  return need << 26 | next << 21;
}
constexpr std::uint32_t writes(std::uint32_t event, std::uint32_t peer, std::uint32_t slot) {
  return event | 1u << 31 | slot << 16 | peer;
}
/// Needs the doorbell and a STEP, then writes to event 1 of node 3.
const std::vector<std::uint32_t> kWaitAndWrite = {last(writes(event(2, 0), kPeer, 1))};
/// Writes; the chain and a STEP end it.
const std::vector<std::uint32_t> kWriteAndWait = {writes(event(1, 1), kPeer, 1), last(event(2, 0))};
/// The doorbell and two STEPs, then the chain through two events to a write.
const std::vector<std::uint32_t> kGather = {event(3, 2), last(writes(event(1, 0), kPeer, 0)),
                                            event(1, 1)};

NicMessage step(std::uint32_t source, std::uint8_t event, std::uint8_t barrier) {
  return to_node(NicType::kStep, source, event, kGroup, barrier);
}

}  // namespace

TEST_CASE("the STEP that an event waits for triggers the next four cycles after its tail",
          "[rtl][nic]") {
  EventBench nic;
  nic.load(0, kWaitAndWrite, kGroup, 1);
  nic.start(0, 3);
  CHECK(nic.quiescent());
  nic.send(step(kPeer, 0, 1));
  const std::uint64_t tail = nic.cycle() + 4;
  nic.steps(20);
  REQUIRE(nic.sent.size() == 1);
  CHECK(nic.sent[0].cycle == tail + 4);
  CHECK(nic.sent[0].message == from_node(NicType::kStep, kPeer, 1, kGroup, 1));
  // Complete at the edge at which the STEP is granted, tail + 2.
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].cycle == tail + 4);
  CHECK(nic.events[0].word == done(0, 1));
  CHECK(nic.quiescent());
}

TEST_CASE("a doorbell writes after four cycles, and the last STEP completes after four",
          "[rtl][nic]") {
  EventBench nic;
  nic.load(1, kWriteAndWait, kGroup, 2);
  const std::uint64_t bell = nic.cycle();
  nic.start(1, 20);
  REQUIRE(nic.sent.size() == 1);
  CHECK(nic.sent[0].cycle == bell + 4);
  CHECK(nic.sent[0].message == from_node(NicType::kStep, kPeer, 1, kGroup, 2));
  CHECK(nic.quiescent());
  nic.send(step(kPeer, 1, 2));
  const std::uint64_t tail = nic.cycle() + 4;
  nic.steps(12);
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].cycle == tail + 4);
  CHECK(nic.events[0].word == done(1, 2));
}

TEST_CASE("STEPs of the next barrier are counted apart, and do not fire before the doorbell",
          "[rtl][nic]") {
  EventBench nic;
  nic.load(0, kGather, kGroup, 3);
  nic.send(step(kPeer, 0, 3));
  nic.send(step(kPeer, 0, 0));  // node 3 is one ahead
  nic.start(0, 20);
  CHECK(nic.sent.empty());  // two STEPs, but not of one barrier
  nic.send(step(4, 0, 3));
  nic.steps(20);
  REQUIRE(nic.events.size() == 1);
  REQUIRE(nic.sent.size() == 1);
  nic.send(step(4, 0, 0));
  nic.steps(10);
  CHECK(nic.sent.size() == 1);
  nic.start(0, 20);
  REQUIRE(nic.events.size() == 2);
  CHECK(nic.events[1].word == done(0, 0));
  CHECK(nic.sent[1].message == from_node(NicType::kStep, kPeer, 0, kGroup, 0));
  CHECK(nic.read(regs::kDrops) == 0);
}

TEST_CASE("what no event can count is dropped", "[rtl][nic]") {
  EventBench nic;
  nic.load(0, kWriteAndWait, kGroup, 1);
  nic.send(to_node(NicType::kStep, kPeer, 1, kGroup + 1, 1));  // no such group: unknown
  nic.send(to_node(NicType::kNack, kPeer, 1, kGroup, 1));      // unknown
  nic.send(step(kPeer, 4, 1));                                 // no such event: unknown
  nic.send(step(kPeer, 1, 3));                                 // of no barrier at hand: stale
  nic.send(step(kPeer, 0, 1));                                 // it would fire: stale
  nic.send(step(kPeer, 1, 2));
  nic.send(step(kPeer, 1, 2));  // it would fire the next barrier's: stale
  nic.steps(50);
  CHECK(nic.read(regs::kDrops) == 0x030300);
  CHECK(nic.sent.empty());
  CHECK(nic.events.empty());
}

TEST_CASE("a descriptor that finds its place full is lost and counted", "[rtl][nic]") {
  EventBench nic;
  // Not a correct list: event 1 needs no chain.
  nic.load(0, {writes(event(1, 2), kPeer, 0), writes(event(1, 2), kPeer, 1), last(event(2, 0))},
           kGroup, 0);
  nic.credits = false;
  nic.start(0, 6);
  nic.send(step(kPeer, 1, 0));
  nic.send(step(kPeer, 1, 0));
  nic.send(step(kPeer, 1, 0));
  nic.steps(25);
  CHECK(nic.read(regs::kDrops) == 0x02000000);
}

TEST_CASE("a release ends a barrier at once, a control word clears all counts", "[rtl][nic]") {
  EventBench nic;
  nic.load(0, kWaitAndWrite, kGroup, 1);
  nic.send(step(kPeer, 0, 1));
  nic.steps(8);
  nic.store(regs::control(0), regs::control_word(kGroup, 1, false), 2);
  nic.start(0, 10);
  CHECK(nic.sent.empty());  // the STEP before the control word counts no more
  CHECK(nic.read(regs::control(0)) == 0x90000701);
  nic.start(0);  // it is running
  const std::uint64_t bell = nic.cycle();
  nic.store(regs::doorbell(0), regs::kContextsDoorbellReleases.mask(), 5);
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].cycle == bell + 2);
  CHECK(nic.events[0].word == 2u << 29);
  CHECK(nic.read(regs::control(0)) == 0x00000701);
  CHECK(nic.read(regs::kRefused) == 1);
  CHECK(nic.read(regs::kSizes) == 0x82040202);
}
