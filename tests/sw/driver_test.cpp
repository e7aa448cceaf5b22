// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include "sw/driver_bench.hpp"

using namespace muster;
using namespace muster::driven;

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

TEST_CASE("words of drops are decoded", "[driver]") {
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
        "1 spilled message, group 77, port 1: it was not taken in time");
  memory.words[0x004] = 65535;
  CHECK(muster_switch_unroutable(&sw) == 65535);
}

TEST_CASE("every outcome has a text of its own", "[driver]") {
  std::set<std::string> texts;
  for (int status = MUSTER_OK; status <= MUSTER_NOT_DOWN; ++status)
    texts.insert(muster_status_text(static_cast<muster_status>(status)));
  CHECK(texts.size() == MUSTER_NOT_DOWN + 1);
  CHECK(texts.count("no outcome of this driver") == 0);
}
