// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/switch_bank.hpp"
#include "support/test.hpp"
#include "systems/packets/golden/multicast_switch.hpp"
#include "systems/packets/golden/unit_switch.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden {
namespace {

using fabric::kOpcodeUnitAck;
using fabric::kOpcodeUnitArrival;
using fabric::kOpcodeUnitRelease;

constexpr std::uint32_t kModulus = 256;

/// Group 3: parent 40, children 50 and 51 on port 0, locals on ports 1 and 2 with nodes 11 and 12.
UnitEntry entry(bool root = false) {
  UnitEntry e;
  e.valid = true;
  e.root = root;
  e.gid = 3;
  e.parent = 40;
  e.count = 2;
  e.children[0] = 50;
  e.children[1] = 51;
  e.locals = 0b110;
  e.reset();
  return e;
}

std::optional<UnitDrop> take(UnitEntry& e, std::uint8_t opcode, std::uint32_t from,
                             std::uint32_t number = 0) {
  const std::uint32_t port = from == 11 ? 1 : from == 12 ? 2 : 0;
  return e.take({from, 30, 3, number, opcode}, port, kModulus);
}

/// What it sends next, as opcode and address; {0, 0} if nothing is due.
std::pair<int, std::uint32_t> send(UnitEntry& e) {
  const auto message = e.due();
  if (!message) return {0, 0};
  e.sent();
  return {message->opcode, message->to};
}

void gather(UnitEntry& e, std::uint32_t number) {
  for (const std::uint32_t child : {50u, 51u}) REQUIRE(!take(e, kOpcodeUnitArrival, child, number));
  REQUIRE(!e.due());
  for (const std::uint32_t local : {11u, 12u}) REQUIRE(!take(e, kOpcodeUnitArrival, local, number));
}

TEST_CASE("an inner unit combines, multicasts and acknowledges, barrier after barrier",
          "[switch][unit]") {
  UnitEntry e = entry();
  for (std::uint32_t number = 0; number < 600; ++number) {
    const std::uint32_t sent = number % kModulus;
    CAPTURE(number);
    gather(e, sent);
    REQUIRE(e.due()->number == number);
    REQUIRE(send(e) == std::pair{int{kOpcodeUnitArrival}, 40u});
    REQUIRE(send(e).first == 0);
    REQUIRE(!take(e, kOpcodeUnitRelease, 40, sent));
    REQUIRE(send(e) == std::pair{int{kOpcodeUnitRelease}, 50u});
    REQUIRE(!take(e, kOpcodeUnitAck, 50, sent));  // while it tells the others
    REQUIRE(send(e) == std::pair{int{kOpcodeUnitRelease}, 51u});
    REQUIRE(e.due()->local == 1u);
    for (const std::uint32_t local : {11u, 12u})
      REQUIRE(send(e) == std::pair{int{kOpcodeUnitRelease}, local});
    REQUIRE(send(e).first == 0);
    REQUIRE(!take(e, kOpcodeUnitAck, 51, sent));
    REQUIRE(send(e) == std::pair{int{kOpcodeUnitAck}, 40u});
    REQUIRE(send(e).first == 0);
  }
}

TEST_CASE("in the order of combining locals are before children, the last told first",
          "[switch][unit]") {
  UnitEntry e = entry();
  for (const std::uint32_t from : {11u, 12u, 51u, 50u}) {
    for (const std::uint32_t other : {11u, 12u, 51u, 50u}) {
      const std::uint32_t port = other == 11 ? 1 : other == 12 ? 2 : 0;
      UnitEntry after = e;
      if (take(after, kOpcodeUnitArrival, other)) continue;  // it has arrived
      CHECK(e.early({other, 30, 3, 0, kOpcodeUnitArrival}, port, kModulus) == (other != from));
    }
    REQUIRE(!take(e, kOpcodeUnitArrival, from));
  }
}

TEST_CASE("the root's next barrier begins when all have acknowledged, even with early members",
          "[switch][unit]") {
  UnitEntry e = entry(true);
  gather(e, 0);
  REQUIRE(e.phase() == UnitEntry::Phase::kTell);
  for (int i = 0; i < 4; ++i) REQUIRE(send(e).first == kOpcodeUnitRelease);
  REQUIRE(!take(e, kOpcodeUnitAck, 50));
  for (const std::uint32_t from : {50u, 11u, 12u}) REQUIRE(!take(e, kOpcodeUnitArrival, from, 1));
  CHECK(send(e).first == 0);
  REQUIRE(!take(e, kOpcodeUnitAck, 51));
  CHECK(e.phase() == UnitEntry::Phase::kGather);
  REQUIRE(!take(e, kOpcodeUnitArrival, 51, 1));
  CHECK(e.phase() == UnitEntry::Phase::kTell);
}

TEST_CASE("what an entry does not expect leaves it as it was", "[switch][unit]") {
  UnitEntry e = entry();
  CHECK(take(e, kOpcodeUnitArrival, 52) == UnitDrop::kWrongSource);
  CHECK(take(e, kOpcodeUnitRelease, 41) == UnitDrop::kWrongSource);
  CHECK(take(e, kOpcodeUnitAck, 11) == UnitDrop::kWrongSource);
  CHECK(take(e, kOpcodeUnitRelease, 40) == UnitDrop::kOutOfPhase);
  CHECK(take(e, kOpcodeUnitAck, 50) == UnitDrop::kOutOfPhase);
  CHECK(take(e, kOpcodeUnitArrival, 50, 1) == UnitDrop::kOutOfPhase);
  REQUIRE(!take(e, kOpcodeUnitArrival, 50));
  CHECK(take(e, kOpcodeUnitArrival, 50) == UnitDrop::kOutOfPhase);
  for (const std::uint32_t from : {51u, 11u, 12u}) REQUIRE(!take(e, kOpcodeUnitArrival, from));
  REQUIRE(send(e).first == kOpcodeUnitArrival);
  CHECK(take(e, kOpcodeUnitArrival, 11, 1) == UnitDrop::kOutOfPhase);  // not released
  CHECK(take(e, kOpcodeUnitRelease, 40, 1) == UnitDrop::kOutOfPhase);
  REQUIRE(!take(e, kOpcodeUnitRelease, 40));
  CHECK(take(e, kOpcodeUnitAck, 50) == UnitDrop::kOutOfPhase);  // not told
  REQUIRE(send(e).second == 50);
  CHECK(take(e, kOpcodeUnitAck, 51) == UnitDrop::kOutOfPhase);
  CHECK(take(e, kOpcodeUnitArrival, 50, 1) == UnitDrop::kOutOfPhase);  // not acknowledged
  REQUIRE(!take(e, kOpcodeUnitAck, 50));
  CHECK(take(e, kOpcodeUnitAck, 50) == UnitDrop::kOutOfPhase);
}

using Flits = std::vector<core::Flit>;

/// One switch of four ports, node n behind port n; virtual channel 1 is for worms.
struct Bench {
  fabric::SwitchConfig config{.name = "test",
                              .ports = 4,
                              .vcs = 2,
                              .depth = 4,
                              .regs = 0,
                              .dests = 64,
                              .kind = &packets::kMulticastSwitch,
                              .variant = {1}};  // counters
  SwitchBank<MulticastSwitch> bank{1, config};
  fabric::Formats formats{16, 8};
  std::uint64_t cycle = 0;
  std::array<Flits, 4> to_send;                        ///< by port, virtual channel in the flit
  std::array<std::array<std::uint32_t, 2>, 4> credit;  ///< into the switch
  std::array<std::vector<std::pair<std::uint64_t, core::Flit>>, 4> seen;
  std::array<bool, 4> shut{};  ///< a shut output returns no credit
  std::array<std::uint64_t, 4> owed{};

  Bench() {
    for (auto& c : credit) c.fill(config.depth);
    for (std::uint32_t n = 0; n < 4; ++n) bank.write_register(0, 0x800 + n, 1u << n);
  }
  void step() {
    core::BlockWires& w = bank.wires(0);
    for (std::uint32_t p = 0; p < 4; ++p) {
      for (std::uint32_t v = 0; v < 2; ++v) credit[p][v] += w.rx_back >> (4 * p + v) & 1;
      if (w.tx_valid >> p & 1) {
        seen[p].emplace_back(cycle, bank.tx(0, p));
        ++owed[p];
      }
      if (owed[p] != 0 && !shut[p]) {
        --owed[p];
        w.tx_back |= std::uint64_t{2} << (4 * p);
      }
      if (to_send[p].empty() || credit[p][to_send[p].front().vc] == 0) continue;
      --credit[p][to_send[p].front().vc];
      bank.rx(0, p) = to_send[p].front();
      w.rx_valid |= 1u << p;
      to_send[p].erase(to_send[p].begin());
    }
    const std::uint32_t awake[] = {0};
    bank.clock(cycle++, awake);
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) step();
  }
  Flits worm(const std::vector<std::uint32_t>& to, std::uint32_t number = 0) const {
    return formats.worm(to, {0, 0, 5, number}, 1);
  }
  Flits at(std::uint32_t port) const {
    Flits flits;
    for (const auto& [when, flit] : seen[port]) flits.push_back(flit);
    return flits;
  }
};

TEST_CASE("a worm opens the outputs that its addresses name, and no other", "[golden][multicast]") {
  Bench b;
  b.to_send[0] = b.worm({1, 2, 1});
  b.run(30);
  CHECK(b.at(1) == b.worm({1, 1}));
  CHECK(b.at(2) == b.worm({2}));
  CHECK(b.at(3).empty());
  CHECK(b.at(0).empty());
  CHECK(b.seen[1].front().first == 0 + 3);  // L + 2 from the wires in cycle 0
  CHECK(b.seen[2].front().first == 1 + 3);
  CHECK(b.bank.quiescent(0));
}

TEST_CASE("a whole worm comes in although none of its outputs takes a flit more",
          "[golden][multicast]") {
  Bench b;
  b.shut[1] = true;
  b.to_send[0] = b.worm(std::vector<std::uint32_t>(64, 1));
  b.run(400);
  CHECK(b.to_send[0].empty());
  CHECK(b.credit[0][1] == b.config.depth);
  b.to_send[0] = b.worm(std::vector<std::uint32_t>(64, 1), 1);
  b.run(400);
  CHECK(b.to_send[0].size() == 66 - 4 - b.config.depth);  // 4 entries had left, the queue is full
  b.shut[1] = false;
  b.run(600);
  CHECK(b.at(1).size() == 132);
}

TEST_CASE("worms of two inputs cross at two outputs in opposite orders", "[golden][multicast]") {
  Bench b;
  b.to_send[0] = b.worm({2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3});
  b.to_send[1] = b.worm({3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2}, 1);
  b.run(200);
  for (const std::uint32_t port : {2u, 3u}) {
    const Flits flits = b.at(port);
    REQUIRE(flits.size() == 16);  // whole, one after the other
    for (std::size_t i = 0; i < 16; ++i) {
      CHECK(flits[i].head() == (i % 8 == 0));
      CHECK(flits[i].tail() == (i % 8 == 7));
    }
  }
  CHECK(b.bank.quiescent(0));
}

/// Without the rule that the rest of a worm is in sight, the long one of input 1 takes output 3
/// before the short one of input 0, the long one of input 0 output 2, and neither has room to come
/// in.
TEST_CASE("long worms that stand behind short ones of other outputs never wait for each other",
          "[golden][multicast]") {
  Bench b;
  b.shut[2] = b.shut[3] = true;
  const auto queue = [&](std::uint32_t port, const std::vector<std::uint32_t>& to) {
    const Flits worm = b.worm(to);
    b.to_send[port].insert(b.to_send[port].end(), worm.begin(), worm.end());
  };
  const std::vector<std::uint32_t> to2(64, 2), to3(64, 3);
  queue(0, {3, 3, 3, 3});
  queue(2, {2, 2, 2, 2});
  b.run(10);  // these have the outputs
  queue(0, {3});
  queue(1, {2});
  queue(0, to2);
  queue(1, to3);
  b.run(300);
  b.shut[2] = b.shut[3] = false;
  b.run(1000);
  for (const std::uint32_t port : {2u, 3u}) CHECK(b.at(port).size() == 6 + 3 + 66);
  CHECK(b.bank.quiescent(0));
}

TEST_CASE("a worm without credit stalls its outputs, an address without a route is a loss",
          "[golden][multicast][counters]") {
  Bench b;
  const auto count = [&](std::uint32_t word, std::uint32_t port) {
    return b.bank.read_register(0, word + 4 * port);
  };
  b.to_send[0] = b.worm({1, 2, 63});
  b.run(30);
  CHECK(count(0x200, 1) == b.at(1).size());
  CHECK(count(0x200, 2) == b.at(2).size());
  CHECK(count(0x202, 0) == 1);
  CHECK(b.bank.read_register(0, 0x00F) == 1);
  b.shut[1] = true;
  b.to_send[0] = b.worm(std::vector<std::uint32_t>(8, 1));
  b.run(40);
  const std::uint32_t before = count(0x201, 1);
  b.run(10);
  CHECK(count(0x201, 1) == before + 10);
  CHECK(count(0x201, 2) == 0);
}

}  // namespace
}  // namespace muster::golden
