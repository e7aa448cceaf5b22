// SPDX-License-Identifier: Apache-2.0
#include "sw/driver_bench.hpp"

using namespace muster;
using namespace muster::driven;

TEST_CASE("the driver reads what a switch was built with", "[driver]") {
  const Driven at(config());
  const std::vector<unsigned> built{at.sw.ports,        at.sw.channels,  at.sw.depth,
                                    at.sw.registers,    at.sw.gid_width, at.sw.flit_width,
                                    at.sw.destinations, at.sw.groups};
  CHECK(built == std::vector<unsigned>{4, 2, 4, 4, 8, 16, 64, 0});
}

TEST_CASE("the driver opens no block that it does not know", "[driver]") {
  Words memory;
  const muster_bus bus = memory.bus();
  muster_switch sw{};
  CHECK(muster_switch_open(&sw, &bus) == MUSTER_NO_BLOCK);
  memory.words[0] = 0x4D530108;
  CHECK(muster_switch_open(&sw, &bus) == MUSTER_WRONG_VERSION);
  memory.words[0] = 0x4D530807;
  CHECK(muster_switch_open(&sw, &bus) == MUSTER_WRONG_KIND);
  muster_link link{};
  CHECK(muster_link_open(&link, &bus) == MUSTER_OK);
}

/// A switch of so many ports whose registers are words of `memory`.
muster_switch opened(volatile std::uint32_t* memory, std::uint32_t ports) {
  memory[0] = 0x4D530107;
  memory[1] = 4u << 24 | 4u << 16 | 1u << 8 | ports;
  memory[2] = 16u << 16 | 8u << 8 | 16u;
  const muster_bus bus = muster_bus_at(memory);
  muster_switch sw{};
  REQUIRE(muster_switch_open(&sw, &bus) == MUSTER_OK);
  return sw;
}

TEST_CASE("a port in memory is read and written by words", "[driver]") {
  volatile std::uint32_t memory[0x100] = {};
  muster_switch sw = opened(memory, 8);
  CHECK(muster_switch_spill_to(&sw, 3) == MUSTER_OK);
  CHECK(memory[12] == 8);
}

TEST_CASE("port 31 of a route is in the word before, for this route alone", "[driver]") {
  volatile std::uint32_t memory[0x900] = {};
  muster_switch sw = opened(memory, 32);
  const muster_route high{5, std::uint64_t{1} << 31}, low{6, 3};
  CHECK(muster_switch_write_routes(&sw, &high, 1) == MUSTER_OK);
  CHECK(memory[8] == 1);
  CHECK(memory[0x805] == 0);
  CHECK(muster_switch_change_route(&sw, &low) == MUSTER_OK);
  CHECK(memory[8] == 0);
  CHECK(memory[0x806] == 3);
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
  CHECK(at.bank->read_register(0, 0x00A) == 0b0011);
  CHECK(muster_switch_spill_to(&at.sw, 0) == MUSTER_NOT_SUPPORTED);
}

TEST_CASE("the whole table is written, whatever it was", "[driver]") {
  SwitchWords memory({{1, 0x04040208}, {2, 0x00102010}});
  for (std::uint32_t d = 0; d < 17; ++d) memory.words[0x800 + d] = 0xbad;
  const muster_route route{3, 0b1000};
  REQUIRE(muster_switch_write_routes(&memory.sw, &route, 1) == MUSTER_OK);
  for (std::uint32_t d = 0; d < 16; ++d) CHECK(memory.words[0x800 + d] == (d == 3 ? 0b1000u : 0u));
  CHECK(memory.words[0x810] == 0xbad);
}

TEST_CASE("no route is written while a switch sweeps its table", "[driver]") {
  SwitchWords memory({{1, 0x04040208}, {2, 0x00102010}, {0x004, 1u << 31}});
  const muster_route route{3, 0b1000};
  CHECK(muster_switch_write_routes(&memory.sw, &route, 1) == MUSTER_NOT_READY);
  CHECK(muster_switch_permit(&memory.sw, 1) == MUSTER_NO_ROUTES);
  memory.sw.routed = true;
  CHECK(muster_switch_change_route(&memory.sw, &route) == MUSTER_NOT_READY);
  CHECK(muster_switch_route_to_itself(&memory.sw, 5) == MUSTER_NOT_READY);
  CHECK(memory.words.lower_bound(0x800) == memory.words.end());
  memory.words[0x004] = 0;
  CHECK(muster_switch_change_route(&memory.sw, &route) == MUSTER_OK);
  CHECK(muster_switch_route_to_itself(&memory.sw, 5) == MUSTER_OK);
  CHECK(muster_switch_write_routes(&memory.sw, &route, 1) == MUSTER_OK);
}

TEST_CASE("the driver waits until a switch has cleared its memories", "[driver]") {
  SwitchWords memory({{1, 0x00040104}, {2, 0x00402010}, {0x111, 256}});
  CHECK(memory.sw.groups == 256);
  memory.words[0x004] = 1u << 31;
  CHECK(muster_switch_wait_ready(&memory.sw, 5) == MUSTER_TIMEOUT);
  memory.words[0x004] = 0;
  memory.words[0x110] = 1u << 31;
  CHECK(muster_switch_wait_ready(&memory.sw, 5) == MUSTER_TIMEOUT);
  memory.words[0x110] = 0;
  CHECK(muster_switch_wait_ready(&memory.sw, 1) == MUSTER_OK);
}

TEST_CASE("words of drops are decoded", "[driver]") {
  SwitchWords memory;
  CHECK(muster_switch_drops(&memory.sw, MUSTER_DROPPED_MESSAGES).count == 0);
  const auto drop = [&](std::uint32_t address, std::uint32_t word, muster_drop_kind kind) {
    memory.words[address] = word;
    const muster_drop got = muster_switch_drops(&memory.sw, kind);
    muster_switch_clear_drops(&memory.sw, kind);
    CHECK(memory.words[address] == 0);
    return std::to_string(got.count) + " " + got.what + ", group " + std::to_string(got.gid) +
           ", port " + std::to_string(got.port) + ": " + got.reason;
  };
  CHECK(drop(0x010, 3u << 24 | 2u << 16 | 5, MUSTER_DROPPED_MESSAGES) ==
        "3 reduction message, group 5, port 2: no register has its group");
  CHECK(drop(0x010, 1u << 24 | 7u << 16 | 1u << 14 | 1u << 12 | 9, MUSTER_DROPPED_MESSAGES) ==
        "1 distribution message, group 9, port 7: wrong port, or out of phase with its register");
  CHECK(drop(0x010, 1u << 24 | 2u << 12, MUSTER_DROPPED_MESSAGES) ==
        "1 place of a spilled message, group 0, port 0: malformed, or a spilled one out of place");
  CHECK(drop(0x020, 2u << 24 | 1u << 16 | 2u << 12, MUSTER_DROPPED_REQUESTS) ==
        "2 packet for the switch, group 0, port 1: no permit at its port, or not for packets to "
        "write");
  CHECK(drop(0x012, 255u << 24 | 1u << 14 | 1u << 12, MUSTER_REFUSED_WRITES) ==
        "255 write of the host, group 0, port 0: the parent port is in the child mask");
  CHECK(drop(0x013, 1u << 24 | 3u << 16 | 1u << 14, MUSTER_LOST_FLITS) ==
        "1 barrier message, group 0, port 3: it came without a credit");
  CHECK(drop(0x015, 1u << 24 | 1u << 16 | 77, MUSTER_GIVEN_UP_MESSAGES) ==
        "1 spilled message, group 77, port 1: it was not taken in time");
  memory.words[0x004] = 65535;
  CHECK(muster_switch_unroutable(&memory.sw) == 65535);
}

TEST_CASE("one look tells whether a switch has dropped anything", "[driver]") {
  SwitchWords memory;
  muster_switch_counts counts{};
  CHECK_FALSE(muster_switch_read_counts(&memory.sw, &counts));
  const std::pair<std::uint32_t, std::uint8_t muster_switch_counts::*> words[] = {
      {0x010, &muster_switch_counts::messages},
      {0x020, &muster_switch_counts::requests},
      {0x012, &muster_switch_counts::refused_writes},
      {0x013, &muster_switch_counts::lost_flits},
      {0x015, &muster_switch_counts::given_up}};
  for (const auto& [address, count] : words) {
    CAPTURE(address);
    memory.words[address] = 7u << 24 | 3u << 16;
    CHECK(muster_switch_read_counts(&memory.sw, &counts));
    CHECK(counts.*count == 7);
    memory.words[address] = 0;
  }
  memory.words[0x004] = 300;
  CHECK(muster_switch_read_counts(&memory.sw, &counts));
  CHECK(counts.unroutable == 300);
  CHECK(counts.headless == 0);
  memory.words[0x004] = 200u << 16;  // sweeping, bit 31, is no count
  CHECK(muster_switch_read_counts(&memory.sw, &counts));
  CHECK(counts.unroutable == 0);
  CHECK(counts.headless == 200);
  memory.words[0x004] = 1u << 31;
  CHECK_FALSE(muster_switch_read_counts(&memory.sw, &counts));
}

TEST_CASE("sets of ports have 64, and none that the switch has not", "[driver]") {
  for (const unsigned port : {0u, 31u, 32u, 63u})
    CHECK(muster_port(port) == std::uint64_t{1} << port);
  CHECK(muster_port(64) == 0);
  Driven at(config());
  const muster_route far{0, muster_port(0) | muster_port(32)}, last{0, muster_port(63)};
  CHECK(muster_switch_write_routes(&at.sw, &far, 1) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_switch_write_routes(&at.sw, &last, 1) == MUSTER_BAD_ARGUMENT);
  CHECK(muster_switch_write_routes(&at.sw, nullptr, 0) == MUSTER_OK);
  CHECK(muster_switch_permit(&at.sw, muster_port(16)) == MUSTER_BAD_ARGUMENT);
  muster_group group = kGroup;
  group.children = muster_port(40);
  CHECK(muster_group_create(&at.sw, 0, &group) == MUSTER_BAD_ARGUMENT);
}

namespace {
/// Two switches in memory, 4096 words apart, behind one port, and the network that they are.
struct Network : Words {
  static constexpr muster_image_word kImage[] = {
      {0x000A, 3}, {0x0102, 3},          {0x0100, 0x80030005},
      {0x1102, 7}, {0x1100, 0xC0000005}, {0x0800, 1}};  // a route, which reads 0
  muster_network network{2, 0x1000, 64, 0, 4, 4, 2, 4, 8, 16, 6, kImage, 0, nullptr};
  Network() {
    for (const std::uint32_t sw : {0x0000u, 0x1000u}) {
      words[sw] = 0x4D530107;
      words[sw + 1] = 0x04040204;
      words[sw + 2] = 0x00402010;
    }
    for (const muster_image_word& load : kImage)
      if (load.address != 0x0800) words[load.address] = load.word;
  }
  muster_status open(muster_switch* switches) {
    const muster_bus control = bus();
    return muster_network_open(&network, &control, switches);
  }
};
}  // namespace

TEST_CASE("a network whose hardware has its image is opened as routed", "[driver]") {
  Network at;
  muster_switch switches[2]{};
  REQUIRE(at.open(switches) == MUSTER_OK);
  const muster_route route{3, 0b1000};
  CHECK(muster_switch_change_route(&switches[1], &route) == MUSTER_OK);
  CHECK(at.words[0x1803] == 0b1000);
  CHECK(muster_switch_permit(&switches[1], 0b0011) == MUSTER_OK);
  CHECK(at.words[0x100A] == 0b0011);
  muster_group group{};
  CHECK(muster_group_read(&switches[1], 0, &group) == MUSTER_OK);
  CHECK(group.turn);
  CHECK(group.children == 7);
}

TEST_CASE("a network that is not the one of the image is refused", "[driver]") {
  muster_switch switches[2]{};
  for (const std::uint32_t word : {0x000Au, 0x0100u, 0x1102u, 0x1001u, 0x1002u}) {
    CAPTURE(word);
    Network at;
    at.words[word] += 1;  // a port, a group or a destination more
    if (word == 0x1002) at.words[word] += 1u << 16;
    CHECK(at.open(switches) == MUSTER_OTHER_NETWORK);
    for (const muster_switch& sw : switches) CHECK_FALSE(sw.routed);
    at.network.words = 0;  // a program that began again: its groups may be others
    CHECK(at.open(switches) ==
          (word < 0x1001 || word == 0x1102 ? MUSTER_OK : MUSTER_OTHER_NETWORK));
  }
  Network none;
  none.network.switches = 0;
  CHECK(none.open(switches) == MUSTER_OTHER_NETWORK);
  none.network.words = 0;
  CHECK(none.open(switches) == MUSTER_OTHER_NETWORK);
}

TEST_CASE("a network of the same shape, but of other switches, is refused", "[driver]") {
  muster_switch switches[2]{};
  const auto other = [&](auto... sizes) {
    const auto one = [&](auto size, int by) {
      Network at;
      auto& value = at.network.*size;
      value = static_cast<std::remove_reference_t<decltype(value)>>(value + by);
      CHECK(at.open(switches) == MUSTER_OTHER_NETWORK);
      at.network.words = 0;
      CHECK(at.open(switches) == MUSTER_OTHER_NETWORK);
    };
    (one(sizes, -1), ...);
    (one(sizes, 1), ...);
  };
  other(&muster_network::ports, &muster_network::channels, &muster_network::depth,
        &muster_network::registers, &muster_network::gid_width, &muster_network::flit_width);
  Network at;
  at.network.groups = 256;
  CHECK(at.open(switches) == MUSTER_OTHER_NETWORK);
}

TEST_CASE("a network with more switches than there are is refused", "[driver]") {
  muster_switch switches[2]{};
  // Behind the last switch: an endpoint, another version, another's word, and nothing.
  for (const std::uint32_t identity : {0x4D530907u, 0x4D530108u, 0xffffffffu, 0u}) {
    CAPTURE(identity);
    Network at;
    at.words[0x1000] = identity;
    CHECK(at.open(switches) == MUSTER_OTHER_NETWORK);
    for (const muster_switch& sw : switches) CHECK_FALSE(sw.routed);
    at.words[0x1000] = 0x4D530107;
    at.words[0x0000] = identity;  // there is no switch at all
    CHECK(at.open(switches) == (identity == 0x4D530907   ? MUSTER_WRONG_KIND
                                : identity == 0x4D530108 ? MUSTER_WRONG_VERSION
                                                         : MUSTER_NO_BLOCK));
  }
}

TEST_CASE("the image of groups in block RAM is compared group by group", "[driver]") {
  fabric::SwitchConfig kind = config();
  kind.vcs = 1;
  kind.variant = btin::values({.groups = 256});
  const Driven at(kind);
  static constexpr muster_image_word kImage[] = {{0x110, 9}, {0x102, 3}, {0x100, 0x80030000 + 9},
                                                 {0x110, 5}, {0x102, 5}, {0x100, 0xC0000000 + 5}};
  for (const muster_image_word& load : kImage) at.bank->write_register(0, load.address, load.word);
  const muster_bus bus = bus_of(*at.bank);
  muster_network network{1, 0x1000, 64, 256, 0, 4, 1, 4, 8, 16, 6, kImage, 0, nullptr};
  muster_switch sw{};
  CHECK(muster_network_open(&network, &bus, &sw) == MUSTER_OK);
  CHECK(sw.groups == 256);
  network.groups = 128;
  CHECK(muster_network_open(&network, &bus, &sw) == MUSTER_OTHER_NETWORK);
  network.groups = 256;
  at.bank->write_register(0, 0x110, 9);
  at.bank->write_register(0, 0x102, 1);
  CHECK(muster_network_open(&network, &bus, &sw) == MUSTER_OTHER_NETWORK);
}

TEST_CASE("every outcome has a text of its own", "[driver]") {
  std::set<std::string> texts;
  for (int status = MUSTER_OK; status <= MUSTER_IDLE; ++status)
    texts.insert(muster_status_text(static_cast<muster_status>(status)));
  CHECK(texts.size() == MUSTER_IDLE + 1);
  CHECK(texts.count("no outcome of this driver") == 0);
}
