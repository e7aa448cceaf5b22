// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric/golden/link_bank.hpp"
#include "muster/run/golden_engine.hpp"
#include "sw/muster.h"
#include "systems/btin/switch_kinds.hpp"
#include "systems/packets/switch_kinds.hpp"

using namespace muster;

namespace {

std::uint32_t bank_read(void* bank, std::uint32_t address) {
  return static_cast<core::Bank*>(bank)->read_register(0, address);
}
void bank_write(void* bank, std::uint32_t address, std::uint32_t word) {
  static_cast<core::Bank*>(bank)->write_register(0, address, word);
}
muster_bus bus_of(core::Bank& bank) { return {&bank_read, &bank_write, &bank}; }

fabric::SwitchConfig config() {
  fabric::SwitchConfig all{.name = "driven", .kind = &btin::kBarrierSwitch};
  all.ports = 4;
  all.dests = 64;
  return all;
}

/// A golden switch, opened.
struct Driven {
  explicit Driven(const fabric::SwitchConfig& config)
      : bank(run::make_golden_engine()->make_switches(config, 1, {})) {
    const muster_bus bus = bus_of(*bank);
    REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  }
  std::unique_ptr<core::Bank> bank;
  muster_switch sw{};
};

/// Words in memory.
struct Words {
  std::map<std::uint32_t, std::uint32_t> words;
  static std::uint32_t read(void* at, std::uint32_t address) {
    return static_cast<Words*>(at)->words[address];
  }
  static void write(void* at, std::uint32_t address, std::uint32_t word) {
    static_cast<Words*>(at)->words[address] = word;
  }
  muster_bus bus() { return {&read, &write, this}; }
};

constexpr muster_group kGroup{5, 0b0011, 3, MUSTER_OPERATION_SUM, false};

}  // namespace

TEST_CASE("the driver reads what a switch was built with", "[driver]") {
  const Driven at(config());
  CHECK(at.sw.ports == 4);
  CHECK(at.sw.channels == 2);
  CHECK(at.sw.depth == 4);
  CHECK(at.sw.registers == 4);
  CHECK(at.sw.gid_width == 8);
  CHECK(at.sw.flit_width == 16);
  CHECK(at.sw.destinations == 64);
  CHECK(at.sw.groups == 0);
}

TEST_CASE("the driver opens no block that it does not know", "[driver]") {
  Words memory;
  const muster_bus bus = memory.bus();
  muster_switch sw{};
  CHECK(muster_switch_open(&sw, &bus) == MUSTER_NO_BLOCK);
  memory.words[0] = 0x4D530106;
  CHECK(muster_switch_open(&sw, &bus) == MUSTER_WRONG_VERSION);
  memory.words[0] = 0x4D530805;
  CHECK(muster_switch_open(&sw, &bus) == MUSTER_WRONG_KIND);
  muster_link link{};
  CHECK(muster_link_open(&link, &bus) == MUSTER_OK);
}

TEST_CASE("a port in memory is read and written by words", "[driver]") {
  volatile std::uint32_t memory[0x100] = {};
  memory[0] = 0x4D530105;
  memory[1] = 4u << 24 | 4u << 16 | 1u << 8 | 8u;
  memory[2] = 16u << 16 | 8u << 8 | 16u;
  const muster_bus bus = muster_bus_at(memory);
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  CHECK(muster_switch_spill_to(&sw, 3) == MUSTER_OK);
  CHECK(memory[6] == 8);
}

TEST_CASE("routes are masks, and come before permits", "[driver]") {
  Driven at(config());
  CHECK(muster_switch_permit(&at.sw, 1) == MUSTER_NO_ROUTES);
  CHECK(muster_switch_route_to_itself(&at.sw, 63) == MUSTER_NO_ROUTES);
  const muster_route far{64, 1}, wide{0, 0x10}, good{3, 0b1000};
  CHECK(muster_switch_change_route(&at.sw, &good) == MUSTER_NO_ROUTES);
  CHECK(muster_switch_write_routes(&at.sw, &far, 1) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_switch_write_routes(&at.sw, &wide, 1) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_switch_write_routes(&at.sw, &good, 1) == MUSTER_OK);
  CHECK(muster_switch_change_route(&at.sw, &wide) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_switch_route_to_itself(&at.sw, 63) == MUSTER_OK);
  CHECK(muster_switch_permit(&at.sw, 0x10) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_switch_permit(&at.sw, 0b0011) == MUSTER_OK);
  CHECK(at.bank->read_register(0, 0x005) == 0b0011);
  CHECK(muster_switch_spill_to(&at.sw, 0) == MUSTER_NOT_SUPPORTED);
}

TEST_CASE("the whole table is written, whatever it was", "[driver]") {
  Words memory;
  memory.words = {{0, 0x4D530105}, {1, 0x04040208}, {2, 0x00100810}};
  for (std::uint32_t d = 0; d < 17; ++d) memory.words[0x800 + d] = 0xbad;
  const muster_bus bus = memory.bus();
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  const muster_route route{3, 0b1000};
  REQUIRE(muster_switch_write_routes(&sw, &route, 1) == MUSTER_OK);
  for (std::uint32_t d = 0; d < 16; ++d) CHECK(memory.words[0x800 + d] == (d == 3 ? 0b1000u : 0u));
  CHECK(memory.words[0x810] == 0xbad);
}

TEST_CASE("the driver waits until a switch has cleared its memories", "[driver]") {
  Words memory;
  memory.words = {{0, 0x4D530105}, {1, 0x00040104}, {2, 0x00400810}, {0x045, 256}};
  const muster_bus bus = memory.bus();
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  CHECK(sw.groups == 256);
  memory.words[0x014] = 1u << 31;
  CHECK(muster_switch_wait_ready(&sw, 5) == MUSTER_TIMEOUT);
  memory.words[0x014] = 0;
  memory.words[0x044] = 1u << 31;
  CHECK(muster_switch_wait_ready(&sw, 5) == MUSTER_TIMEOUT);
  memory.words[0x044] = 0;
  CHECK(muster_switch_wait_ready(&sw, 1) == MUSTER_OK);
}

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
            this};
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
  Words memory;
  memory.words = {
      {0, 0x4D530105}, {1, 0x04040204}, {2, 0x00400810}, {0x040, 0x80030005}, {0x041, 3}};
  const muster_bus bus = memory.bus();
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  // Arrived, to be served, sent.
  const std::pair<std::uint32_t, std::uint32_t> states[] = {{1, 0}, {1u << 16, 0}, {0, 1}};
  for (const auto& [progress, state] : states) {
    memory.words[0x042] = progress;
    memory.words[0x043] = state;
    CAPTURE(progress, state);
    CHECK(muster_group_change(&sw, 0, 1) == MUSTER_UNDER_WAY);
    CHECK(muster_group_release(&sw, 0) == MUSTER_UNDER_WAY);
    CHECK(memory.words[0x041] == 3);
  }
  memory.words[0x042] = 1;
  memory.words[0x043] = 1u << 2;  // it has failed: nobody waits for it any more
  CHECK(muster_group_release(&sw, 0) == MUSTER_OK);
}

TEST_CASE("words of drops are told in words", "[driver]") {
  Words memory;
  memory.words = {{0, 0x4D530105}, {1, 0x04040204}, {2, 0x00400810}};
  const muster_bus bus = memory.bus();
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  CHECK(muster_switch_drops(&sw, MUSTER_DROPPED_MESSAGES).count == 0);
  const auto drop = [&](std::uint32_t address, std::uint32_t word, muster_drop_kind kind) {
    memory.words[address] = word;
    const muster_drop got = muster_switch_drops(&sw, kind);
    muster_switch_clear_drops(&sw, kind);
    CHECK(memory.words[address] == 0);
    return std::to_string(got.count) + " " + got.what + ", group " + std::to_string(got.gid) +
           ", port " + std::to_string(got.port) + ": " + got.reason;
  };
  CHECK(drop(0x010, 3u << 24 | 2u << 16 | 5, MUSTER_DROPPED_MESSAGES) ==
        "3 reduction message, group 5, port 2: no register has its group");
  CHECK(drop(0x010, 1u << 24 | 1u << 22 | 1u << 20 | 7u << 16 | 9, MUSTER_DROPPED_MESSAGES) ==
        "1 distribution message, group 9, port 7: wrong port, or out of phase with its register");
  CHECK(drop(0x010, 1u << 24 | 2u << 20, MUSTER_DROPPED_MESSAGES) ==
        "1 place of a spilled message, group 0, port 0: malformed, or a spilled one out of place");
  CHECK(drop(0x020, 2u << 24 | 2u << 20 | 1u << 16, MUSTER_DROPPED_REQUESTS) ==
        "2 packet for the switch, group 0, port 1: no permit at its port, or not for packets to "
        "write");
  CHECK(drop(0x012, 255u << 24 | 1u << 22 | 1u << 20, MUSTER_REFUSED_WRITES) ==
        "255 write of the host, group 0, port 0: the parent port is in the child mask");
  CHECK(drop(0x013, 1u << 24 | 1u << 22 | 3u << 16, MUSTER_LOST_FLITS) ==
        "1 barrier message, group 0, port 3: it came without a credit");
  CHECK(drop(0x015, 1u << 24 | 1u << 16 | 77, MUSTER_GIVEN_UP_MESSAGES) ==
        "1 spilled message, group 77, port 1: nobody took it in time");
  memory.words[0x004] = 65535;
  CHECK(muster_switch_unroutable(&sw) == 65535);
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
  bool interrupt = false;
  muster_member member(bool interrupts = true) {
    return {[](void* at, std::uint32_t word) { static_cast<Looked*>(at)->operand = word; },
            [](void* at) {
              auto& self = *static_cast<Looked*>(at);
              const bool released = self.released_at != 0 && ++self.looks > self.released_at;
              return self.always | (released ? MUSTER_MEMBER_RELEASED : 0u);
            },
            [](void* at) { return static_cast<Looked*>(at)->operand + 1; },
            interrupts ? [](void* at, bool on) { static_cast<Looked*>(at)->interrupt = on; }
                       : static_cast<void (*)(void*, bool)>(nullptr),
            this};
  }
};
}  // namespace

TEST_CASE("a member arrives once, and waits no longer than it is told", "[driver]") {
  Looked looked;
  const muster_member member = looked.member();
  CHECK(muster_arrive(&member, 7) == MUSTER_OK);
  CHECK(looked.operand == 7);
  CHECK(muster_test(&member) == MUSTER_UNDER_WAY);
  std::uint32_t result = 0;
  CHECK(muster_wait(&member, 10, &result) == MUSTER_TIMEOUT);
  CHECK(result == 0);
  looked.released_at = 5;
  CHECK(muster_wait(&member, 5, &result) == MUSTER_TIMEOUT);
  CHECK(muster_wait(&member, 1, &result) == MUSTER_OK);
  CHECK(result == 8);
  looked.always = MUSTER_MEMBER_WAITING;
  CHECK(muster_arrive(&member, 9) == MUSTER_UNDER_WAY);
  CHECK(looked.operand == 7);
  looked.always = MUSTER_MEMBER_REFUSED;
  CHECK(muster_arrive(&member, 9) == MUSTER_REFUSED);
  looked.always = MUSTER_MEMBER_FAILED;
  CHECK(muster_wait(&member, 1, nullptr) == MUSTER_FAILED);
  CHECK(muster_interrupt(&member, true) == MUSTER_OK);
  CHECK(looked.interrupt);
  const muster_member silent = looked.member(false);
  CHECK(muster_interrupt(&silent, true) == MUSTER_NOT_SUPPORTED);
}

TEST_CASE("every outcome has a text of its own", "[driver]") {
  std::set<std::string> texts;
  for (int status = MUSTER_OK; status <= MUSTER_NOT_DOWN; ++status)
    texts.insert(muster_status_text(static_cast<muster_status>(status)));
  CHECK(texts.size() == MUSTER_NOT_DOWN + 1);
  CHECK(texts.count("no outcome of this driver") == 0);
}
