// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "sw/driver_bench.hpp"

using namespace muster;
using namespace muster::driven;

TEST_CASE("a link that is down is started again, and no other", "[driver]") {
  Words memory;
  memory.words = {{0, 0x4D530805}, {1, 2u << 24 | 1u << 16 | 7u << 8 | 2}};
  const muster_bus bus = memory.bus();
  muster_link link{};
  REQUIRE(muster_link_open(&link, &bus) == MUSTER_OK);
  const muster_link_status up = muster_link_read(&link);
  CHECK(up.state == MUSTER_LINK_STATE_UP);
  CHECK(up.replays == 7);
  CHECK(up.rejected == 1);
  CHECK(up.lost == 2);
  CHECK(muster_link_wait_up(&link, 1) == MUSTER_OK);
  CHECK(muster_link_retrain(&link) == MUSTER_NOT_DOWN);
  memory.words[1] = 1u << 5 | 1u << 2 | 3;
  const muster_link_status down = muster_link_read(&link);
  CHECK(down.drained);
  CHECK(std::string(muster_link_state_text(down.state)) == "down");
  CHECK(std::string(muster_link_reason_text(down.reason)) == "the other end is silent");
  CHECK(muster_link_wait_up(&link, 3) == MUSTER_TIMEOUT);
  CHECK(muster_link_retrain(&link) == MUSTER_OK);
  CHECK(memory.words[1] == 1);
  muster_link_take_down(&link);
  CHECK(memory.words[1] == 2);
  muster_link_clear_counters(&link);
  CHECK(memory.words[1] == 4);
}

namespace {
/// A member that is released at the nth look at its state.
struct Looked {
  unsigned looks = 0, released_at = 0;
  std::uint32_t operand = 0, always = 0;
  bool interrupt = false, takes = true;
  unsigned acknowledged = 0;
  std::uint8_t operand_width = 32;
  muster_member member(bool interrupts = true) {
    return {[](void* at, std::uint32_t word) { static_cast<Looked*>(at)->operand = word; },
            [](void* at) {
              auto& self = *static_cast<Looked*>(at);
              const bool released = self.released_at != 0 && ++self.looks > self.released_at;
              return self.always | (released ? MUSTER_MEMBER_RELEASED : 0u);
            },
            [](void* at) { return static_cast<Looked*>(at)->operand + 1; },
            interrupts ? [](void* at, bool on) {
              static_cast<Looked*>(at)->interrupt = on;
              return static_cast<Looked*>(at)->takes;
            } : static_cast<bool (*)(void*, bool)>(nullptr),
            interrupts ? [](void* at) { ++static_cast<Looked*>(at)->acknowledged; }
                       : static_cast<void (*)(void*)>(nullptr),
            this,
            operand_width};
  }
};
}  // namespace

TEST_CASE("a member arrives once, and waits no longer than it is told", "[driver]") {
  Looked looked;
  const muster_member member = looked.member();
  CHECK(muster_arrive(&member, 7) == MUSTER_OK);
  CHECK(looked.operand == 7);
  looked.always = MUSTER_MEMBER_WAITING;
  CHECK(muster_test(&member) == MUSTER_UNDER_WAY);
  std::uint32_t result = 0;
  CHECK(muster_wait(&member, 10, &result) == MUSTER_TIMEOUT);
  CHECK(result == 0);
  looked.released_at = 5;
  CHECK(muster_wait(&member, 5, &result) == MUSTER_TIMEOUT);
  CHECK(muster_wait(&member, 1, &result) == MUSTER_OK);
  CHECK(result == 8);
  CHECK(muster_arrive(&member, 9) == MUSTER_UNDER_WAY);
  CHECK(looked.operand == 7);
  looked.always = MUSTER_MEMBER_REFUSED;
  CHECK(muster_arrive(&member, 9) == MUSTER_REFUSED);
  looked.always = MUSTER_MEMBER_FAILED;
  CHECK(muster_wait(&member, 1, nullptr) == MUSTER_FAILED);
  looked.released_at = 0;
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(looked.interrupt);
  looked.takes = false;
  CHECK(muster_interrupt(&member, true) == MUSTER_NOT_WRITTEN);
  const muster_member silent = looked.member(false);
  CHECK(muster_interrupt(&silent, true) == MUSTER_NOT_SUPPORTED);
  CHECK(muster_acknowledge(&silent) == MUSTER_NOT_SUPPORTED);
}

TEST_CASE("a member that has not arrived does not wait", "[driver]") {
  Looked looked;
  const muster_member member = looked.member();
  std::uint32_t result = 0;
  CHECK(muster_test(&member) == MUSTER_IDLE);
  CHECK(muster_wait(&member, 10, &result) == MUSTER_IDLE);
  looked.always = MUSTER_MEMBER_REFUSED;
  CHECK(muster_arrive(&member, 7) == MUSTER_REFUSED);
  CHECK(muster_test(&member) == MUSTER_REFUSED);
  CHECK(muster_wait(&member, 10, &result) == MUSTER_REFUSED);
  looked.always = MUSTER_MEMBER_DRAINING;
  CHECK(muster_test(&member) == MUSTER_UNDER_WAY);
  CHECK(muster_wait(&member, 10, &result) == MUSTER_TIMEOUT);
  CHECK(result == 0);
}

TEST_CASE("an operand with more bits than messages have is refused", "[driver]") {
  Looked looked;
  muster_member member = looked.member();
  CHECK(muster_arrive(&member, 0xffffffff) == MUSTER_OK);
  CHECK(looked.operand == 0xffffffff);
  looked.operand_width = 6;
  member = looked.member();
  CHECK(muster_arrive(&member, 64) == MUSTER_BAD_ARGUMENT);
  CHECK(looked.operand == 0xffffffff);
  CHECK(muster_arrive(&member, 63) == MUSTER_OK);
  CHECK(looked.operand == 63);
}

TEST_CASE("nothing is acknowledged while a barrier is under way", "[driver]") {
  Looked looked;
  const muster_member member = looked.member();
  looked.always = MUSTER_MEMBER_WAITING;
  CHECK(muster_acknowledge(&member) == MUSTER_UNDER_WAY);
  CHECK(looked.acknowledged == 0);
  looked.always = MUSTER_MEMBER_DRAINING;
  CHECK(muster_arrive(&member, 1) == MUSTER_UNDER_WAY);
  looked.always = MUSTER_MEMBER_RELEASED;
  CHECK(muster_acknowledge(&member) == MUSTER_OK);
  CHECK(looked.acknowledged == 1);
}

namespace {
/// The registers of an endpoint as docs/systems/wrappers.md has them, with two groups. `release` is
/// the network's side.
struct Endpoint : Words {
  Endpoint() { words = {{0, 0x4D530905}, {1, 2u << 24 | 4u << 16 | 2u << 8 | 1}, {2, 0x00060810}}; }
  bool is_sent = true;  // the message of an arrival, when it is given up
  muster_bus bus() { return {&read, &put, this, 0}; }
  void release(std::uint32_t group, std::uint32_t result) {
    words[0x042 + 8 * group] = (words[0x042 + 8 * group] & ~1u) | 2u;
    words[0x043 + 8 * group] = result;
  }
  static void put(void* at, std::uint32_t address, std::uint32_t word) {
    auto& words = static_cast<Endpoint*>(at)->words;
    const bool is_sent = static_cast<Endpoint*>(at)->is_sent;
    const std::uint32_t group = 8 * ((address - 0x040) / 8), kind = (address - 0x040) % 8;
    if (address == 0x010 || address == 0x011) words[address] = 0;
    if (address < 0x040) return;
    std::uint32_t& status = words[0x042 + group];
    constexpr std::uint32_t kBusy = 0x11, kIrq = 1u << 30;
    if (kind == 0) {
      const bool anew = ((words[address] ^ word) & ~kIrq) != 0;
      const std::uint32_t other = words[0x040 + (group ^ 8)];
      const bool taken = word >> 31 != 0 && ((other ^ word) & ~kIrq) == 0;
      if (anew && ((status & kBusy) != 0 || taken)) {
        status |= 8u;
        return;
      }
      words[address] = word;
      if (anew) status = words[0x043 + group] = 0;
    }
    if (kind == 1 && words[0x040 + group] >> 31 != 0 && (status & kBusy) == 0)
      status = 1;
    else if (kind == 1)
      status |= 4u;
    if (kind != 2) return;
    status &= ~(word & 0xeu);
    if ((word >> 8 & 1) != 0 && (status & 1u) != 0) status = is_sent ? 0x10u : 0u;
    if ((word >> 9 & 1) != 0) status &= ~0x10u;
  }
};
}  // namespace

TEST_CASE("a member at an endpoint loses no arrival and no release", "[driver]") {
  Endpoint at;
  const muster_bus bus = at.bus();
  muster_endpoint endpoint{};
  muster_endpoint_group kept{}, other{};
  muster_member member{}, none{};
  REQUIRE(muster_endpoint_open(&endpoint, &bus) == MUSTER_OK);
  CHECK(endpoint.groups == 2);
  CHECK(endpoint.channels == 2);
  CHECK(endpoint.depth == 4);
  CHECK(endpoint.gid_width == 8);
  CHECK(endpoint.flit_width == 16);
  CHECK(endpoint.data_width == 6);
  CHECK(muster_endpoint_join(&kept, &endpoint, 2, 5, &member) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_endpoint_join(&kept, &endpoint, 1, 256, &member) == MUSTER_BAD_ARGUMENT);
  REQUIRE(muster_endpoint_join(&kept, &endpoint, 1, 5, &member) == MUSTER_OK);
  CHECK(at.words[0x048] == (1u << 31 | 5));
  CHECK(muster_endpoint_join(&other, &endpoint, 0, 5, &none) == MUSTER_GROUP_IN_USE);
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(at.words[0x048] == (3u << 30 | 5));
  CHECK(muster_arrive(&member, 64) == MUSTER_BAD_ARGUMENT);
  CHECK(at.words[0x04a] == 0);
  REQUIRE(muster_arrive(&member, 7) == MUSTER_OK);
  CHECK(muster_interrupt(&member, false) == MUSTER_OK);
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(muster_acknowledge(&member) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_leave(&kept) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_join(&other, &endpoint, 1, 6, &none) == MUSTER_UNDER_WAY);
  CHECK(at.words[0x048] == (3u << 30 | 5));
  CHECK((at.words[0x04a] & 1u) == 1);
  at.release(1, 9);
  CHECK(muster_interrupt(&member, false) == MUSTER_OK);
  std::uint32_t result = 0;
  CHECK(muster_wait(&member, 1, &result) == MUSTER_OK);
  CHECK(result == 9);
  CHECK(muster_acknowledge(&member) == MUSTER_OK);
  CHECK(at.words[0x04a] == 0);
  CHECK(muster_wait(&member, 3, &result) == MUSTER_IDLE);
  CHECK(muster_interrupt(&member, false) == MUSTER_OK);
  CHECK(muster_endpoint_leave(&kept) == MUSTER_OK);
  CHECK(at.words[0x048] == 0);
  CHECK(muster_arrive(&member, 7) == MUSTER_REFUSED);
  CHECK(muster_wait(&member, 3, &result) == MUSTER_REFUSED);
  CHECK(muster_acknowledge(&member) == MUSTER_OK);
  CHECK(at.words[0x04a] == 0);
  CHECK(muster_test(&member) == MUSTER_IDLE);
}

TEST_CASE("an arrival that is given up drains until its release or new registers", "[driver]") {
  Endpoint at;
  const muster_bus bus = at.bus();
  muster_endpoint endpoint{};
  muster_endpoint_group kept{};
  muster_member member{};
  REQUIRE(muster_endpoint_open(&endpoint, &bus) == MUSTER_OK);
  REQUIRE(muster_endpoint_join(&kept, &endpoint, 0, 5, &member) == MUSTER_OK);
  CHECK(muster_endpoint_abandon(&kept) == MUSTER_OK);  // there is none
  REQUIRE(muster_arrive(&member, 7) == MUSTER_OK);
  CHECK(muster_endpoint_abandon(&kept) == MUSTER_DRAINING);
  CHECK(muster_arrive(&member, 7) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_leave(&kept) == MUSTER_UNDER_WAY);
  muster_endpoint_rewritten(&kept);
  CHECK(muster_arrive(&member, 7) == MUSTER_OK);
  at.release(0, 9);
  CHECK(muster_endpoint_abandon(&kept) == MUSTER_RELEASED);
  std::uint32_t result = 0;
  CHECK(muster_wait(&member, 1, &result) == MUSTER_OK);
  CHECK(result == 9);
  CHECK(muster_arrive(&member, 7) == MUSTER_OK);
  at.is_sent = false;
  CHECK(muster_endpoint_abandon(&kept) == MUSTER_OK);
  CHECK(muster_endpoint_leave(&kept) == MUSTER_OK);
}

TEST_CASE("a program that starts again frees a member that waits or drains", "[driver]") {
  Endpoint at;
  const muster_bus bus = at.bus();
  muster_endpoint endpoint{};
  REQUIRE(muster_endpoint_open(&endpoint, &bus) == MUSTER_OK);
  for (const std::uint32_t busy : {0x01u, 0x10u}) {
    CAPTURE(busy);
    at.words[0x048] = 1u << 31 | 5;
    at.words[0x04a] = busy;
    muster_endpoint_group kept{};
    muster_member member{};
    REQUIRE(muster_endpoint_join(&kept, &endpoint, 1, 6, &member) == MUSTER_UNDER_WAY);
    CHECK(at.words[0x048] == (1u << 31 | 5));
    CHECK(muster_arrive(&member, 7) == MUSTER_UNDER_WAY);
    CHECK(muster_endpoint_abandon(&kept) == MUSTER_DRAINING);
    muster_endpoint_rewritten(&kept);
    CHECK(muster_endpoint_join(&kept, &endpoint, 1, 6, &member) == MUSTER_OK);
    CHECK(at.words[0x048] == (1u << 31 | 6));
  }
}

TEST_CASE("a member that joins again has no release of before", "[driver]") {
  Endpoint at;
  const muster_bus bus = at.bus();
  muster_endpoint endpoint{};
  muster_endpoint_group kept{};
  muster_member member{};
  REQUIRE(muster_endpoint_open(&endpoint, &bus) == MUSTER_OK);
  REQUIRE(muster_endpoint_join(&kept, &endpoint, 0, 5, &member) == MUSTER_OK);
  REQUIRE(muster_arrive(&member, 7) == MUSTER_OK);
  at.release(0, 9);
  REQUIRE(muster_endpoint_join(&kept, &endpoint, 0, 5, &member) == MUSTER_OK);
  CHECK(muster_test(&member) == MUSTER_IDLE);
  at.words[0x042] |= 4u;  // an arrival was refused
  REQUIRE(muster_endpoint_join(&kept, &endpoint, 0, 5, &member) == MUSTER_OK);
  CHECK(at.words[0x042] == 0);
}

TEST_CASE("an endpoint tells of all its groups, and what it has dropped", "[driver]") {
  Endpoint at;
  const muster_bus bus = at.bus();
  muster_endpoint endpoint{};
  REQUIRE(muster_endpoint_open(&endpoint, &bus) == MUSTER_OK);
  at.words[3] = 0x0201;
  at.words[0x010] = 0x04030201;
  at.words[0x011] = 0x08070605;
  CHECK(muster_endpoint_read_state(&endpoint).waiting == 2);
  CHECK(muster_endpoint_read_state(&endpoint).released == 1);
  muster_endpoint_counts counts{};
  CHECK(muster_endpoint_read_counts(&endpoint, &counts));
  CHECK(counts.messages == 4);
  CHECK(counts.arrivals == 3);
  CHECK(counts.packets == 2);
  CHECK(counts.flits == 1);
  CHECK(counts.controls == 8);
  CHECK(counts.cut == 7);
  CHECK(counts.aborted == 6);
  CHECK(counts.illegal == 5);
  muster_endpoint_clear_counts(&endpoint);
  CHECK_FALSE(muster_endpoint_read_counts(&endpoint, &counts));
  CHECK(counts.messages == 0);
}
