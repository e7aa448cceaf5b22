// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/golden/unit_switch.hpp"

#include <catch2/catch.hpp>

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
    REQUIRE(send(e) == std::pair{int{kOpcodeUnitRelease}, 11u});
    REQUIRE(send(e) == std::pair{int{kOpcodeUnitRelease}, 12u});
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
  REQUIRE(!take(e, kOpcodeUnitArrival, 50, 1));
  REQUIRE(!take(e, kOpcodeUnitArrival, 11, 1));
  REQUIRE(!take(e, kOpcodeUnitArrival, 12, 1));
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
  REQUIRE(!take(e, kOpcodeUnitArrival, 51));
  REQUIRE(!take(e, kOpcodeUnitArrival, 11));
  REQUIRE(!take(e, kOpcodeUnitArrival, 12));
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

}  // namespace

}  // namespace muster::golden
