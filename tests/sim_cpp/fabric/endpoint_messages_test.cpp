// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>

#include "muster/core/engine.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/endpoints.hpp"
#include "muster/fabric/link_control.hpp"

namespace muster::fabric {
namespace {

using core::Flit;

std::uint32_t two_flits(const Flit&) { return 2; }

/// Node 0 sends packets of `length` flits to node 1 from cycle 0 on; the flits and credits of the
/// link from 0 to 1 by cycle.
struct BarrierPair : PacketClient, SyncClient, core::Observer {
  struct Seen {
    std::uint64_t cycle;
    Flit flit;
  };
  core::Engine engine;
  EndpointBank* nodes;
  std::uint32_t left, length;
  std::vector<Seen> seen;
  std::vector<std::pair<std::uint64_t, std::uint8_t>> credits;
  std::vector<std::pair<std::uint64_t, std::size_t>> messages;  ///< cycle and flits
  std::vector<Packet> delivered;

  BarrierPair(SyncCredits kind, std::uint32_t vcs, std::uint32_t packets, std::uint32_t flits)
      : left(packets), length(flits) {
    const EndpointConfig config{
        .nodes = 2, .vcs = vcs, .depth = 4, .barrier = {kind, 7, two_flits}};
    auto bank = std::make_unique<EndpointBank>(config, Formats(16, 8));
    nodes = bank.get();
    engine.add_bank(std::move(bank));
    engine.connect(0, {0, 0, 0}, {0, 1, 0}, 1);
    engine.connect(1, {0, 1, 0}, {0, 0, 0}, 1);
    engine.observe_with(*this);
    nodes->attach(this, this);
  }
  std::uint64_t ready(std::uint32_t node) override { return node == 0 && left != 0 ? 0 : kNever; }
  Packet take(std::uint64_t, std::uint32_t, std::uint8_t vc) override {
    --left;
    return {.destination = 1, .length = length, .vc = vc};
  }
  void deliver(std::uint64_t, std::uint32_t, const Packet& packet) override {
    delivered.push_back(packet);
  }
  void receive_sync(std::uint64_t, std::uint32_t, const Flit&) override { FAIL("one flit"); }
  void receive_message(std::uint64_t cycle, std::uint32_t node,
                       std::span<const Flit> flits) override {
    CHECK(node == 1);
    messages.emplace_back(cycle, flits.size());
  }
  void clock(std::uint64_t) override {}
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> back) override {
    for (const auto& e : flits)
      if (e.channel == 0) seen.push_back({cycle, e.flit});
    for (const auto& e : back)
      if (e.channel == 0) credits.emplace_back(cycle, e.credits);
  }
  void run(std::uint64_t cycles) {
    while (engine.cycle() < cycles) engine.step();
  }
  void message() {
    Flit flits[2];
    flits[0].kind = Flit::kFirst;
    flits[1].kind = Flit::kSync;
    nodes->send_message(0, flits);
  }
  std::vector<std::uint8_t> kinds_from(std::uint64_t cycle, std::size_t count) const {
    std::vector<std::uint8_t> kinds;
    for (const Seen& s : seen)
      if (s.cycle >= cycle && kinds.size() < count) kinds.push_back(s.flit.kind);
    return kinds;
  }
};

TEST_CASE("a barrier message cuts a packet of its node and hands its channel back",
          "[network][endpoints][preempt]") {
  const SyncCredits kind = GENERATE(SyncCredits::kBuffer, SyncCredits::kBoth);
  BarrierPair pair(kind, 1, 1, 20);
  pair.run(5);
  pair.message();
  pair.run(80);
  REQUIRE(pair.messages.size() == 1);
  CHECK(pair.messages[0].second == 2);
  REQUIRE(pair.delivered.size() == 1);
  CHECK(pair.delivered[0].length == 20);
  CHECK(pair.seen.size() == 24);
  CHECK(pair.nodes->drained());
  CHECK(pair.engine.idle());
  if (kind == SyncCredits::kBuffer)  // nothing of data is between
    CHECK(pair.kinds_from(6, 5) ==
          std::vector<std::uint8_t>{Flit::kControl, Flit::kFirst, Flit::kSync, Flit::kControl, 0});
  unsigned back[2] = {};
  for (const auto& [cycle, credits] : pair.credits)
    for (unsigned bit = 0; bit < 2; ++bit) back[bit] += credits >> bit & 1;
  CHECK(back[0] == (kind == SyncCredits::kBuffer ? 20 : 24));
  CHECK(back[1] == 1);
}

TEST_CASE("a barrier message goes at once in the place of a free channel",
          "[network][endpoints][preempt]") {
  BarrierPair pair(SyncCredits::kBuffer, 3, 2, 20);  // channels 1 and 2, then 0 is free
  pair.run(5);
  pair.message();
  pair.run(20);
  const auto kinds = pair.kinds_from(6, 3);
  CHECK(kinds == std::vector<std::uint8_t>{Flit::kFirst, Flit::kSync, 0});
  for (const auto& s : pair.seen)
    if (s.flit.sync()) CHECK(s.flit.vc == 0);
}

TEST_CASE("the next message waits for the barrier buffer", "[network][endpoints][preempt]") {
  BarrierPair pair(SyncCredits::kBuffer, 1, 0, 0);
  pair.message();
  pair.message();
  pair.run(20);
  REQUIRE(pair.seen.size() == 4);
  // On the wires in t and t + 1, its credit in t + 2, the next in t + 3.
  CHECK(pair.seen[2].cycle == pair.seen[0].cycle + 3);
  CHECK(pair.messages.size() == 2);
}

TEST_CASE("a node ignores pads and link control", "[network][endpoints][preempt]") {
  const SyncCredits kind = GENERATE(SyncCredits::kBuffer, SyncCredits::kBoth);
  const EndpointConfig config{.nodes = 1, .vcs = 2, .depth = 4, .barrier = {kind, 7, two_flits}};
  EndpointBank node(config, Formats(16, 8));
  const auto back = [&](Flit flit) {
    node.rx(0, 0) = flit;
    node.wires(0).rx_valid = 1;
    const std::uint32_t awake = 0;
    node.clock(0, {&awake, 1});
    CHECK(node.wires(0).tx_valid == 0);
    return node.wires(0).rx_back;
  };
  Flit pad;
  pad.kind = Flit::kPad;
  pad.vc = 1;
  CHECK(back(pad) == 2);
  CHECK(back(control_flit({false, 1})) == (kind == SyncCredits::kBoth ? 2 : 0));
  CHECK(back(control_flit({true, 1})) == (kind == SyncCredits::kBoth ? 2 : 0));
  CHECK(node.drained());
}

TEST_CASE("the credit of a barrier buffer needs a bit beside those of the channels",
          "[network][endpoints][preempt]") {
  const EndpointConfig four{.nodes = 1, .vcs = 4, .barrier = {SyncCredits::kBuffer, 7, two_flits}};
  CHECK_THROWS_AS(EndpointBank(four, Formats(16, 8)), InputError);
}

}  // namespace
}  // namespace muster::fabric
