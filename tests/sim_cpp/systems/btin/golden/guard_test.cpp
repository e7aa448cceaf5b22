// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "fabric/register_map.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

/// docs/systems/guard.md by hand.
namespace muster::golden {
namespace {

using core::Flit;
namespace regs = fabric::registers;

constexpr std::uint32_t kValid = 1u << 31, kTurn = 1u << 30;
constexpr std::uint32_t kSelf = 0, kAsker = 1;  // destinations: the switch, and a node at port 1

fabric::SwitchConfig guarded(fabric::SwitchConfig config) {
  config.guard = true;
  return config;
}

/// A word of the records: one event, the host's or a packet's from `port`.
std::uint32_t once(std::uint32_t info, std::uint32_t port = 0) {
  return 1u << 24 | info | port << 16;
}

class Guarded : public SwitchBench {
 public:
  explicit Guarded(const fabric::SwitchConfig& config = guarded(sw(4, 1))) : SwitchBench(config) {
    write(regs::kRoutes + kSelf, regs::kRoutesOwn.mask());
    route(kAsker, 1u << 1);
    route(2, 1u << 2);
    write(regs::kPermits, 0xf);
  }
  /// The host writes; the outcome is in the records two cycles later.
  void host(std::uint32_t address, std::uint32_t value) {
    request(address, value);
    step(3);
  }
  static std::vector<Flit> request_packet(std::uint32_t address, std::uint32_t old,
                                          std::uint32_t value, std::uint32_t source = kAsker) {
    const std::uint32_t words[] = {1u << 11 | kSelf, source,    0x8000u | address,
                                   old & 0xffff,     old >> 16, value & 0xffff,
                                   value >> 16};
    std::vector<Flit> flits;
    for (const std::uint32_t word : words) flits.push_back(body(word));
    flits.front().kind = Flit::kHead;
    flits.back().kind = Flit::kTail;
    return flits;
  }
  void send_all(std::uint32_t port, const std::vector<Flit>& flits) {
    for (const Flit& flit : flits) {
      send(port, flit);
      step();
    }
  }
  /// The status of the answer at port 1, within 30 cycles; its credits are given back.
  std::optional<std::uint32_t> status() {
    std::uint32_t flits = 0;
    std::optional<std::uint32_t> found;
    for (int i = 0; i < 30; ++i, step()) {
      if (!valid(1)) continue;
      if (++flits == 3) found = static_cast<std::uint32_t>(out(1).lo) >> 12;
      give_credit(1);
    }
    CHECK((!found || flits == 5));
    return found;
  }
  std::optional<std::uint32_t> ask(std::uint32_t port, std::uint32_t address, std::uint32_t value) {
    send_all(port, request_packet(address, read(address), value));
    return status();
  }
};

}  // namespace

TEST_CASE("a group that another valid register has is refused, and changes nothing",
          "[golden][guard]") {
  Guarded bench;
  bench.load(0, 5, 0b0011, 3);
  bench.send(0, bench.reduction(5));
  bench.step();
  bench.host(regs::control(1), kValid | 5);
  CHECK(bench.read(regs::control(1)) == 0);
  CHECK(bench.read(regs::kRefusals) == once(1u << 22 | 1));
  CHECK(bench.arrived(0) == 0b0001);
  bench.host(regs::control(1), 5);  // not valid: no harm
  CHECK(bench.read(regs::control(1)) == 5);
  bench.host(regs::control(0), kValid | 2u << 16 | 5);  // its own group
  CHECK(bench.read(regs::control(0)) == (kValid | 2u << 16 | 5));
  CHECK(bench.arrived(0) == 0);
  CHECK(bench.read(regs::kRefusals) >> 24 == 1);
  bench.host(regs::kRefusals, 0);
  CHECK(bench.read(regs::kRefusals) == 0);
}

TEST_CASE("a parent among the children is refused except in a register with turn",
          "[golden][guard]") {
  Guarded bench;
  bench.host(regs::children(2), 0b0110);
  bench.host(regs::control(2), kValid | 1u << 16 | 7);
  CHECK(bench.read(regs::control(2)) == 0);
  CHECK(bench.read(regs::kRefusals) == once(1u << 22 | 1u << 20 | 2));
  bench.host(regs::control(2), kValid | kTurn | 1u << 16 | 7);
  CHECK(bench.read(regs::control(2)) == (kValid | kTurn | 1u << 16 | 7));
  bench.host(regs::control(2), kValid | 9u << 16 | 7);  // no such port
  bench.host(regs::control(2), kValid | 3u << 16 | 7);
  bench.host(regs::children(2), 0b1000);
  CHECK(bench.read(regs::children(2)) == 0b0110);
  CHECK(bench.read(regs::kRefusals) >> 24 == 2);
}

TEST_CASE("a spill mask of several ports is refused", "[golden][guard][spill]") {
  Guarded bench(guarded(with_pockets(sw(4, 1))));
  bench.host(regs::kSpill, 0b0100);
  bench.host(regs::kSpill, 0b0110);
  CHECK(bench.read(regs::kSpill) == 0b0100);
  CHECK(bench.read(regs::kRefusals) == once(1u << 22 | 2u << 20 | 1));
  bench.host(regs::kSpill, 0xfff0);
  CHECK(bench.read(regs::kSpill) == 0);
}

TEST_CASE("a packet that would do harm is told that the word is not writable", "[golden][guard]") {
  Guarded bench;
  bench.load(0, 5, 0b0011, 3);
  CHECK(bench.ask(2, regs::control(1), kValid | 5) == 3);
  CHECK(bench.read(regs::control(1)) == 0);
  CHECK(bench.read(regs::kRefusals) == once(1, 2));
  CHECK(bench.read(regs::kAgentDrops) == once(2u << 20, 2));
  CHECK(bench.ask(2, regs::control(1), kValid | 6) == 0);
  CHECK(bench.read(regs::control(1)) == (kValid | 6));
}

TEST_CASE("a packet touches no group that is not of its port", "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kGroupPermits + 2, 0xf0u << 16 | 0x10);  // port 2: groups 0x10 to 0x1f
  CHECK(bench.read(regs::kGroupPermits + 2) == (0xf0u << 16 | 0x10));
  bench.load(0, 0x25, 0b0011, 3);
  CHECK(bench.ask(2, regs::control(0), 0) == 2);
  CHECK(bench.ask(2, regs::children(0), 0) == 2);
  CHECK(bench.ask(2, regs::control(1), kValid | 0x26) == 2);
  CHECK(bench.ask(2, regs::control(1), regs::kBarrierControlClaimed.mask() | 0x26) == 2);
  CHECK(bench.read(regs::kRefusals) == (4u << 24 | 3u << 20 | 2u << 16));
  CHECK(bench.ask(2, regs::control(1), kValid | 0x16) == 0);
  CHECK(bench.ask(2, regs::control(1), 0) == 0);
  CHECK(bench.ask(0, regs::control(0), 0) == 0);  // of port 0 are all
  CHECK(bench.read(regs::kRefusals) >> 24 == 4);
}

TEST_CASE("a flit that comes to a full queue is lost, and cuts its packet", "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kHold, 0b0100);
  bench.send_all(0, {Guarded::head(2), Guarded::body(1), Guarded::body(2), Guarded::body(3)});
  bench.send(0, Guarded::body(4));  // no credit: lost
  bench.step(3);
  CHECK(bench.read(regs::kOverflows) == once(0));
  CHECK(bench.read(regs::kNoRouteDrops) == 0);
  bench.host(regs::kHold, 0);
  std::vector<Flit> seen;
  for (int i = 0; i < 16; ++i, bench.step()) {
    if (i == 4) bench.send(0, Guarded::body(5));
    if (i == 5) bench.send(0, Guarded::tail(6));
    if (i == 6) bench.send(0, Guarded::single(2));
    if (!bench.valid(2)) continue;
    seen.push_back(bench.out(2));
    bench.give_credit(2);
  }
  REQUIRE(seen.size() == 5);
  CHECK(seen[2].lo == 2);
  CHECK(seen[3] == Flit::cut_mark(0));  // it was the third body
  CHECK((seen[4].head() && seen[4].lo == 2));
  bench.step(3);
  // The rest of the packet.
  CHECK(bench.read(regs::kNoRouteDrops) == 2u << regs::kNoRouteDropsHeadless.low);
  CHECK(bench.read(regs::kOverflows) == once(0));
  CHECK(bench.quiescent());
}

TEST_CASE("a sync flit that comes to a full pocket is lost", "[golden][guard][spill]") {
  Guarded bench(guarded(with_pockets(sw(4, 1))));
  bench.host(regs::kSpill, 0b1000);
  for (int i = 0; i < 3; ++i) {  // one to the latch, one to the pocket, one too many
    bench.send(1, bench.reduction(9, i));
    bench.step(4);
  }
  CHECK(bench.read(regs::kOverflows) == once(1u << 22, 1));
}

TEST_CASE("a request that stops in the middle is dropped, and its later flits too",
          "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kPatience, 3);
  const auto packet = Guarded::request_packet(regs::control(0), 0, kValid | 5);
  bench.send(0, packet[0]);
  bench.step();
  bench.send(0, packet[1]);
  bench.step(3);  // t + 3: taken
  bench.step(8);
  CHECK(bench.read(regs::kAgentDrops) == 0);
  bench.step(2);
  CHECK(bench.read(regs::kAgentDrops) == once(1u << 20));
  CHECK(bench.quiescent());
  CHECK(bench.ask(3, regs::control(1), kValid | 6) == 0);  // others are served
  bench.send_all(0, {packet.begin() + 2, packet.end()});
  CHECK_FALSE(bench.status());
  CHECK(bench.read(regs::control(0)) == 0);
  CHECK(bench.ask(0, regs::control(0), kValid | 5) == 0);
}

TEST_CASE("a packet that does not end does not keep the access unit", "[golden][guard]") {
  Guarded bench;
  std::vector<Flit> packet(8, Guarded::body(1u << 11));
  packet.front().kind = Flit::kHead;
  bench.send_all(0, packet);
  bench.step(5);
  CHECK(bench.read(regs::kAgentDrops) == once(1u << 20));
  CHECK(bench.ask(3, regs::control(1), kValid | 6) == 0);
  bench.send_all(0, {4, Guarded::body(0)});
  CHECK(bench.ask(3, regs::control(2), kValid | 7) == 0);
  bench.send(0, Guarded::tail(0));
  bench.step(5);
  CHECK(bench.read(regs::kAgentDrops) == once(1u << 20));
}

TEST_CASE("without patience a request is waited for", "[golden][guard]") {
  Guarded bench;
  const auto packet = Guarded::request_packet(regs::control(0), 0, kValid | 5);
  bench.send_all(0, {packet.begin(), packet.begin() + 3});
  bench.step(40000);
  bench.send_all(0, {packet.begin() + 3, packet.end()});
  CHECK(bench.status() == 0);
}

TEST_CASE("an answer that cannot leave is given up, and its channel gets a tail",
          "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kPatience, 4);
  bench.send_all(0, Guarded::request_packet(regs::control(0), 0, kValid | 5));
  std::uint32_t flits = 0;
  for (int i = 0; i < 40; ++i, bench.step()) flits += bench.valid(1);
  CHECK(flits == 4);  // as many as there are credits
  CHECK(bench.read(regs::kAgentDrops) == once(3u << 20));
  CHECK_FALSE(bench.quiescent());
  // Another requester is served, at another output.
  bench.send_all(0, Guarded::request_packet(regs::control(1), 0, kValid | 6, 2));
  flits = 0;
  for (int i = 0; i < 20; ++i, bench.step()) flits += bench.valid(2);
  CHECK(flits == 4);
  bench.give_credit(2);
  bench.step(3);
  // A packet for the channel waits for the tail.
  bench.send(3, Guarded::single(kAsker));
  bench.step(10);
  CHECK_FALSE(bench.valid(1));
  std::vector<Flit> seen;
  for (int i = 0; i < 12; ++i, bench.step()) {
    if (i < 2) bench.give_credit(1);
    if (bench.valid(1)) seen.push_back(bench.out(1));
  }
  REQUIRE(seen.size() == 2);
  CHECK(seen[0] == Flit::cut_mark(0));
  CHECK((seen[1].head() && seen[1].lo == kAsker));
  CHECK(bench.quiescent());
}

TEST_CASE("a switch that guards itself needs queues of two flits", "[golden][guard]") {
  CHECK_THROWS_WITH(fabric::validate(guarded(sw(4, 1, 1))),
                    Catch::Contains("depth = 1 is not in 2..16"));
}

}  // namespace muster::golden
