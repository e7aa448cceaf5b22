// SPDX-License-Identifier: Apache-2.0
// Chained remote writes of one NIC, against the tables and rules of docs/systems/nic-events.md.
#include <catch2/catch.hpp>

#include "rtl/nic/engine_bench.hpp"

using namespace muster::test;

namespace {

constexpr std::uint32_t kPeer = 3;
constexpr std::uint8_t kGroup = 7;

/// An event without a write, and one whose descriptor counts event `slot` of a peer.
constexpr std::uint32_t event(std::uint32_t need, std::uint32_t next) {
  return need << 26 | next << 21;
}
constexpr std::uint32_t writes(std::uint32_t event, std::uint32_t peer, std::uint32_t slot) {
  return event | 1u << 31 | slot << 16 | peer;
}
constexpr std::uint32_t done(std::uint32_t context, std::uint32_t number) {
  return context << 16 | number;
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
  nic.write(regs::doorbell(0), regs::kContextsDoorbellStarts.mask());
  nic.steps(3);
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
  nic.write(regs::doorbell(1), regs::kContextsDoorbellStarts.mask());
  nic.steps(20);
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
  nic.write(regs::doorbell(0), regs::kContextsDoorbellStarts.mask());
  nic.steps(20);
  CHECK(nic.sent.empty());  // two STEPs, but not of one barrier
  nic.send(step(4, 0, 3));
  nic.steps(20);
  REQUIRE(nic.events.size() == 1);
  REQUIRE(nic.sent.size() == 1);
  nic.send(step(4, 0, 0));
  nic.steps(10);
  CHECK(nic.sent.size() == 1);
  nic.write(regs::doorbell(0), regs::kContextsDoorbellStarts.mask());
  nic.steps(20);
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
  nic.write(regs::doorbell(0), regs::kContextsDoorbellStarts.mask());
  nic.steps(6);
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
  nic.write(regs::control(0), regs::control_word(kGroup, 1, false));
  nic.steps(2);
  nic.write(regs::doorbell(0), regs::kContextsDoorbellStarts.mask());
  nic.steps(10);
  CHECK(nic.sent.empty());  // the STEP before the control word counts no more
  CHECK(nic.read(regs::control(0)) == 0x90000701);
  nic.write(regs::doorbell(0), regs::kContextsDoorbellStarts.mask());  // it is running
  nic.steps(1);
  const std::uint64_t bell = nic.cycle();
  nic.write(regs::doorbell(0), regs::kContextsDoorbellReleases.mask());
  nic.steps(5);
  REQUIRE(nic.events.size() == 1);
  CHECK(nic.events[0].cycle == bell + 2);
  CHECK(nic.events[0].word == 2u << 29);
  CHECK(nic.read(regs::control(0)) == 0x00000701);
  CHECK(nic.read(regs::kRefused) == 1);
  CHECK(nic.read(regs::kSizes) == 0x82040202);
}
