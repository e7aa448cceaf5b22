// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "sw/driver_bench.hpp"

using namespace muster;
using namespace muster::driven;

TEST_CASE("groups are created, read, changed and released", "[driver]") {
  fabric::SwitchConfig switches[] = {config(), config(), config(), config()};
  switches[1].vcs = switches[2].vcs = 1;
  switches[1].groups = 256;
  switches[2].retry = true;
  switches[3].guard = true;
  for (const fabric::SwitchConfig& kind : switches) {
    CAPTURE(kind.groups, kind.retry, kind.guard);
    const Driven at(kind);
    const std::uint16_t slot = kind.groups != 0 ? kGroup.gid : 2;
    muster_group read{};
    CHECK(muster_group_read(&at.sw, slot, &read) == MUSTER_NO_GROUP);
    REQUIRE(muster_group_create(&at.sw, slot, &kGroup) == MUSTER_OK);
    CHECK(muster_group_create(&at.sw, slot, &kGroup) == MUSTER_SLOT_IN_USE);
    REQUIRE(muster_group_read(&at.sw, slot, &read) == MUSTER_OK);
    CHECK(read.gid == kGroup.gid);
    CHECK(read.children == kGroup.children);
    CHECK(read.parent == kGroup.parent);
    CHECK(read.operation == kGroup.operation);
    CHECK_FALSE(read.turn);
    CHECK(muster_group_change(&at.sw, slot, 0b1001) == MUSTER_PARENT_IS_CHILD);
    CHECK(muster_group_change(&at.sw, slot, 0x10) == MUSTER_BAD_ARGUMENT);
    CHECK(muster_group_change(&at.sw, slot, 0b0101) == MUSTER_OK);
    muster_progress progress{};
    CHECK(muster_group_progress(&at.sw, slot, &progress) == MUSTER_OK);
    CHECK(progress.arrived == 0);
    CHECK(muster_group_abort(&at.sw, slot) == (kind.retry ? MUSTER_OK : MUSTER_NOT_SUPPORTED));
    CHECK(muster_group_release(&at.sw, slot) == MUSTER_OK);
    CHECK(muster_group_read(&at.sw, slot, &read) == MUSTER_NO_GROUP);
    CHECK(muster_group_release(&at.sw, slot) == MUSTER_NO_GROUP);
  }
}

TEST_CASE("what a switch has not is refused before anything is written", "[driver]") {
  const Driven at(config());
  muster_group group = kGroup;
  CHECK(muster_group_create(&at.sw, 4, &group) == MUSTER_BAD_ARGUMENT);
  group.gid = 256;
  CHECK(muster_group_create(&at.sw, 0, &group) == MUSTER_BAD_ARGUMENT);
  group = kGroup;
  group.parent = 4;
  CHECK(muster_group_create(&at.sw, 0, &group) == MUSTER_BAD_ARGUMENT);
  group = kGroup;
  group.children = 0b1000;
  CHECK(muster_group_create(&at.sw, 0, &group) == MUSTER_PARENT_IS_CHILD);
  for (std::uint32_t word = 0x040; word < 0x050; ++word) {
    CAPTURE(word);
    CHECK(at.bank->read_register(0, word) == 0);
  }
  group.turn = true;  // a root has no parent
  CHECK(muster_group_create(&at.sw, 0, &group) == MUSTER_OK);
}

TEST_CASE("no two registers get one group, and a free one is found", "[driver]") {
  const Driven at(config());
  std::uint16_t slot = 9;
  for (std::uint16_t r = 0; r < 4; ++r) {
    REQUIRE(muster_group_free_slot(&at.sw, &slot) == MUSTER_OK);
    CHECK(slot == r);
    muster_group group = kGroup;
    group.gid = r;
    REQUIRE(muster_group_create(&at.sw, slot, &group) == MUSTER_OK);
    if (r == 3) break;
    CHECK(muster_group_create(&at.sw, static_cast<std::uint16_t>(r + 1), &group) ==
          MUSTER_GROUP_IN_USE);
  }
  CHECK(muster_group_free_slot(&at.sw, &slot) == MUSTER_SLOT_IN_USE);
  CHECK(muster_group_release(&at.sw, 1) == MUSTER_OK);
  CHECK(muster_group_free_slot(&at.sw, &slot) == MUSTER_OK);
  CHECK(slot == 1);
}

namespace {
/// A bus that remembers to which addresses it has written.
struct Logged {
  core::Bank* bank;
  std::vector<std::uint32_t> written;
  muster_bus bus() {
    return {[](void* at, std::uint32_t address) {
              return static_cast<Logged*>(at)->bank->read_register(0, address);
            },
            [](void* at, std::uint32_t address, std::uint32_t word) {
              static_cast<Logged*>(at)->written.push_back(address);
              static_cast<Logged*>(at)->bank->write_register(0, address, word);
            },
            this, 0};
  }
};
}  // namespace

TEST_CASE("a group is made valid last, and made invalid first", "[driver]") {
  const Driven at(config());
  Logged logged{at.bank.get(), {}};
  const muster_bus bus = logged.bus();
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  CHECK(logged.written.empty());
  REQUIRE(muster_group_create(&sw, 0, &kGroup) == MUSTER_OK);
  CHECK(logged.written == std::vector<std::uint32_t>{0x041, 0x040});
  logged.written.clear();
  REQUIRE(muster_group_release(&sw, 0) == MUSTER_OK);
  CHECK(logged.written == std::vector<std::uint32_t>{0x040, 0x041});
}

TEST_CASE("nothing is changed while a barrier is under way", "[driver]") {
  SwitchWords memory(
      {{0, 0x4D530105}, {1, 0x04040204}, {2, 0x00400810}, {0x040, 0x80030005}, {0x041, 3}});
  // Arrived, to be served, sent.
  const std::pair<std::uint32_t, std::uint32_t> states[] = {{1, 0}, {1u << 16, 0}, {0, 1}};
  for (const auto& [progress, state] : states) {
    memory.words[0x042] = progress;
    memory.words[0x043] = state;
    CAPTURE(progress, state);
    CHECK(muster_group_change(&memory.sw, 0, 1) == MUSTER_UNDER_WAY);
    CHECK(muster_group_release(&memory.sw, 0) == MUSTER_UNDER_WAY);
    CHECK(memory.words[0x041] == 3);
  }
  memory.words[0x042] = 1;
  memory.words[0x043] = 1u << 2;  // it has failed: no member waits for it any more
  CHECK(muster_group_release(&memory.sw, 0) == MUSTER_OK);
}

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
/// The registers of an endpoint as docs/systems/wrappers.md has them, with two groups; opened.
/// `release` is the network's side.
struct Endpoint : Words {
  Endpoint() {
    words = {{0, 0x4D530905}, {1, 2u << 24 | 4u << 16 | 2u << 8 | 1}, {2, 0x00060810}};
    const muster_bus at = bus();
    REQUIRE(muster_endpoint_open(&endpoint, &at) == MUSTER_OK);
  }
  muster_endpoint endpoint{};
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
  muster_endpoint_group kept{}, other{};
  muster_member member{}, none{};
  CHECK(at.endpoint.groups == 2);
  CHECK(at.endpoint.channels == 2);
  CHECK(at.endpoint.depth == 4);
  CHECK(at.endpoint.gid_width == 8);
  CHECK(at.endpoint.flit_width == 16);
  CHECK(at.endpoint.data_width == 6);
  CHECK(muster_endpoint_join(&kept, &at.endpoint, 2, 5, &member) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_endpoint_join(&kept, &at.endpoint, 1, 256, &member) == MUSTER_BAD_ARGUMENT);
  REQUIRE(muster_endpoint_join(&kept, &at.endpoint, 1, 5, &member) == MUSTER_OK);
  CHECK(at.words[0x048] == (1u << 31 | 5));
  CHECK(muster_endpoint_join(&other, &at.endpoint, 0, 5, &none) == MUSTER_GROUP_IN_USE);
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(at.words[0x048] == (3u << 30 | 5));
  CHECK(muster_arrive(&member, 64) == MUSTER_BAD_ARGUMENT);
  CHECK(at.words[0x04a] == 0);
  REQUIRE(muster_arrive(&member, 7) == MUSTER_OK);
  CHECK(muster_interrupt(&member, false) == MUSTER_OK);
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(muster_acknowledge(&member) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_leave(&kept) == MUSTER_UNDER_WAY);
  CHECK(muster_endpoint_join(&other, &at.endpoint, 1, 6, &none) == MUSTER_UNDER_WAY);
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
  muster_endpoint_group kept{};
  muster_member member{};
  REQUIRE(muster_endpoint_join(&kept, &at.endpoint, 0, 5, &member) == MUSTER_OK);
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
  for (const std::uint32_t busy : {0x01u, 0x10u}) {
    CAPTURE(busy);
    at.words[0x048] = 1u << 31 | 5;
    at.words[0x04a] = busy;
    muster_endpoint_group kept{};
    muster_member member{};
    REQUIRE(muster_endpoint_join(&kept, &at.endpoint, 1, 6, &member) == MUSTER_UNDER_WAY);
    CHECK(at.words[0x048] == (1u << 31 | 5));
    CHECK(muster_arrive(&member, 7) == MUSTER_UNDER_WAY);
    CHECK(muster_endpoint_abandon(&kept) == MUSTER_DRAINING);
    muster_endpoint_rewritten(&kept);
    CHECK(muster_endpoint_join(&kept, &at.endpoint, 1, 6, &member) == MUSTER_OK);
    CHECK(at.words[0x048] == (1u << 31 | 6));
  }
}

TEST_CASE("a member that joins again has no release of before", "[driver]") {
  Endpoint at;
  muster_endpoint_group kept{};
  muster_member member{};
  REQUIRE(muster_endpoint_join(&kept, &at.endpoint, 0, 5, &member) == MUSTER_OK);
  REQUIRE(muster_arrive(&member, 7) == MUSTER_OK);
  at.release(0, 9);
  REQUIRE(muster_endpoint_join(&kept, &at.endpoint, 0, 5, &member) == MUSTER_OK);
  CHECK(muster_test(&member) == MUSTER_IDLE);
  at.words[0x042] |= 4u;  // an arrival was refused
  REQUIRE(muster_endpoint_join(&kept, &at.endpoint, 0, 5, &member) == MUSTER_OK);
  CHECK(at.words[0x042] == 0);
}

TEST_CASE("an endpoint tells of all its groups, and what it has dropped", "[driver]") {
  Endpoint at;
  at.words[3] = 0x0201;
  at.words[0x010] = 0x04030201;
  at.words[0x011] = 0x08070605;
  CHECK(muster_endpoint_read_state(&at.endpoint).waiting == 2);
  CHECK(muster_endpoint_read_state(&at.endpoint).released == 1);
  muster_endpoint_counts counts{};
  CHECK(muster_endpoint_read_counts(&at.endpoint, &counts));
  CHECK(counts.messages == 4);
  CHECK(counts.arrivals == 3);
  CHECK(counts.packets == 2);
  CHECK(counts.flits == 1);
  CHECK(counts.controls == 8);
  CHECK(counts.cut == 7);
  CHECK(counts.aborted == 6);
  CHECK(counts.illegal == 5);
  muster_endpoint_clear_counts(&at.endpoint);
  CHECK_FALSE(muster_endpoint_read_counts(&at.endpoint, &counts));
  CHECK(counts.messages == 0);
}
