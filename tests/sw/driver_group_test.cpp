// SPDX-License-Identifier: Apache-2.0
#include "sw/driver_bench.hpp"

using namespace muster;
using namespace muster::driven;

TEST_CASE("groups are created, read, changed and released", "[driver]") {
  fabric::SwitchConfig switches[] = {config(), config(), config(), config()};
  switches[1].vcs = switches[2].vcs = 1;
  switches[1].variant = btin::values({.groups = 256});
  switches[2].variant = btin::values({.retry = true});
  switches[3].variant = btin::values({.guard = true});
  for (const fabric::SwitchConfig& kind : switches) {
    const btin::Variant variant = btin::variant(kind);
    CAPTURE(variant.groups, variant.retry, variant.guard);
    const Driven at(kind);
    const std::uint16_t slot = variant.groups != 0 ? kGroup.gid : 2;
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
    CHECK(muster_group_abort(&at.sw, slot) == (variant.retry ? MUSTER_OK : MUSTER_NOT_SUPPORTED));
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
  for (std::uint32_t word = 0x100; word < 0x140; ++word) {
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

TEST_CASE("a group is made valid last, and made invalid first", "[driver]") {
  const Driven at(config());
  Logged logged{at.bank.get(), {}};
  const muster_bus bus = logged.bus();
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  CHECK(logged.written.empty());
  REQUIRE(muster_group_create(&sw, 0, &kGroup) == MUSTER_OK);
  CHECK(logged.written == std::vector<std::uint32_t>{0x102, 0x100});
  logged.written.clear();
  REQUIRE(muster_group_release(&sw, 0) == MUSTER_OK);
  CHECK(logged.written == std::vector<std::uint32_t>{0x100, 0x102});
}

TEST_CASE("nothing is changed while a barrier is under way", "[driver]") {
  SwitchWords memory({{0x100, 0x80030005}, {0x102, 3}});
  // Arrived, to be served, sent.
  for (const std::uint32_t address : {0x104u, 0x106u, 0x101u}) {
    memory.words[address] = 1;
    CAPTURE(address);
    CHECK(muster_group_change(&memory.sw, 0, 1) == MUSTER_UNDER_WAY);
    CHECK(muster_group_release(&memory.sw, 0) == MUSTER_UNDER_WAY);
    CHECK(memory.words[0x102] == 3);
    memory.words[address] = 0;
  }
  memory.words[0x104] = 1;
  memory.words[0x101] = 1u << 2;  // it has failed: no member waits for it any more
  CHECK(muster_group_release(&memory.sw, 0) == MUSTER_OK);
}

TEST_CASE("who arrived last is read of the switches that know it", "[driver]") {
  fabric::SwitchConfig kind = config();
  kind.variant = btin::values({.straggler = true});
  const Driven at(kind);
  muster_straggler last{9, 9};
  CHECK_FALSE(muster_group_straggler(&at.sw, 4, &last));
  REQUIRE(muster_group_create(&at.sw, 1, &kGroup) == MUSTER_OK);
  CHECK_FALSE(muster_group_straggler(&at.sw, 1, &last));
  SwitchWords memory({{0x11A, 0x800200FF}});
  CHECK_FALSE(muster_group_straggler(&memory.sw, 0, &last));
  REQUIRE(muster_group_straggler(&memory.sw, 1, &last));
  CHECK(last.port == 2);
  CHECK(last.cycles == 255);
}

TEST_CASE("counts of ports and causes are read and cleared where a switch has them", "[driver]") {
  const Driven without(config());
  CHECK(muster_switch_interrupt_on(&without.sw, MUSTER_CAUSE_DROPS) == MUSTER_NOT_SUPPORTED);
  fabric::SwitchConfig kind = config();
  kind.variant = btin::values({.counters = true});
  const Driven at(kind);
  CHECK(muster_switch_interrupt_on(&at.sw, MUSTER_CAUSE_DROPS | MUSTER_CAUSE_SUSPECTS) ==
        MUSTER_OK);
  CHECK(muster_switch_interrupt_on(&at.sw, 32) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_switch_take_causes(&at.sw) == 0);
  SwitchWords memory({{0x00F, 5}, {0x204, 7}, {0x205, 8}, {0x206, 9}});
  const muster_port_counts counts = muster_switch_port_counts(&memory.sw, 1);
  CHECK(counts.flits == 7);
  CHECK(counts.stalls == 8);
  CHECK(counts.losses == 9);
  muster_switch_clear_port_counts(&memory.sw, 1);
  CHECK(memory.words[0x204] + memory.words[0x205] + memory.words[0x206] == 0);
  CHECK(muster_switch_port_counts(&memory.sw, 4).flits == 0);
  CHECK(muster_switch_take_causes(&memory.sw) == (MUSTER_CAUSE_DROPS | MUSTER_CAUSE_OVERFLOWS));
}

TEST_CASE("labels are written for all ports of a switch", "[driver]") {
  SwitchWords memory(std::map<std::uint32_t, std::uint32_t>{{1, 0x0404020A}});  // ten ports
  const std::uint8_t labels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15};
  REQUIRE(muster_group_labels(&memory.sw, 3, labels) == MUSTER_OK);
  CHECK(memory.words[0x13C] == 0x87654321);
  CHECK(memory.words[0x13D] == 0xf9);
  const std::uint8_t wide[10] = {16};
  CHECK(muster_group_labels(&memory.sw, 3, wide) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_group_labels(&memory.sw, 4, labels) == MUSTER_BAD_ARGUMENT);
}

TEST_CASE("a link that is down is started again, and no other", "[driver]") {
  Words memory;
  memory.words = {{0, 0x4D530807}, {1, 2u << 24 | 1u << 16 | 7u << 8 | 2}};
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

/// A member that is released at the nth look at its state.
struct Looked {
  unsigned looks = 0, released_at = 0;
  std::uint32_t operand = 0, always = 0;
  bool interrupt = false, takes = true;
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
            interrupts ? [](void*) {} : static_cast<void (*)(void*)>(nullptr),
            this,
            operand_width};
  }
};

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

TEST_CASE("an endpoint tells of all its groups, and what it has dropped", "[driver]") {
  Words at;
  at.words = {{0x000, 0x4D530907}, {0x001, 2u << 24 | 4u << 16 | 2u << 8 | 1},
              {0x002, 0x00062010}, {0x003, 0x0201},
              {0x010, 0x04030201}, {0x011, 0x08070605}};
  const muster_bus bus = at.bus();
  muster_endpoint endpoint{};
  REQUIRE(muster_endpoint_open(&endpoint, &bus) == MUSTER_OK);
  const std::vector<unsigned> built{endpoint.groups,    endpoint.channels,   endpoint.depth,
                                    endpoint.gid_width, endpoint.flit_width, endpoint.data_width};
  CHECK(built == std::vector<unsigned>{2, 2, 4, 8, 16, 6});
  CHECK(muster_endpoint_read_state(&endpoint).waiting == 2);
  CHECK(muster_endpoint_read_state(&endpoint).released == 1);
  muster_endpoint_counts counts{};
  CHECK(muster_endpoint_read_counts(&endpoint, &counts));
  const std::vector<unsigned> all{counts.flits,   counts.packets, counts.arrivals, counts.messages,
                                  counts.illegal, counts.aborted, counts.cut,      counts.controls};
  CHECK(all == std::vector<unsigned>{1, 2, 3, 4, 5, 6, 7, 8});
  muster_endpoint_clear_counts(&endpoint);
  CHECK(at.words[0x010] + at.words[0x011] == 0);
  CHECK_FALSE(muster_endpoint_read_counts(&endpoint, &counts));
}

}  // namespace
