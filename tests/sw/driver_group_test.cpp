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
  memory.words[0x043] = 1u << 2;  // it has failed: no member waits for it any more
  CHECK(muster_group_release(&sw, 0) == MUSTER_OK);
}
