// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "Vnetwork_three.h"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;

namespace {

constexpr unsigned kBlocks = 3, kRoutes = 16, kWait = 20;  // as CMakeLists.txt has it made

/// A write on the register ports.
struct Write {
  unsigned cycle, blocks, address;
  std::uint32_t value;
  friend bool operator==(const Write&, const Write&) = default;
};

/// {switch, address, data}, as the words of an image are packed.
constexpr std::uint64_t packed(std::uint64_t block, std::uint64_t address, std::uint64_t value) {
  return block << 44 | address << 32 | value;
}
const std::vector<std::uint64_t> kImage = {packed(0, 0x800, 1), packed(2, 0x801, 0xFFFFFFFF),
                                           packed(1, 0x005, 7), packed(1, 0x005, 6),
                                           packed(2, 0x040, 0x80000001)};

/// The module, its image and blocks that answer reads with their number and the address.
struct Network {
  Clocked<Vnetwork_three> dut{muster_seed()};
  std::vector<Write> writes;
  unsigned now = 0;

  Network() {
    dut->awvalid_i = dut->wvalid_i = dut->arvalid_i = 0;
    dut->bready_i = dut->rready_i = 1;
    dut.reset();
    dut.settle();
  }
  void cycle() {
    dut.settle();
    dut->image_word_i = dut->image_at_o < kImage.size() ? kImage[dut->image_at_o] : 0;
    dut.settle();
    for (unsigned b = 0; b < kBlocks; ++b)
      dut->reg_rdata_i[b] =
          (dut->reg_valid_o >> b & 1u) != 0 && !dut->reg_write_o ? b << 16 | dut->reg_addr_o : 0;
    dut.settle();
    if (dut->reg_valid_o != 0 && dut->reg_write_o)
      writes.push_back({now, dut->reg_valid_o, dut->reg_addr_o, dut->reg_wdata_o});
    dut.edge();
    ++now;
    dut.settle();
  }
  /// The response.
  unsigned write(std::uint32_t address, std::uint32_t value) {
    dut->awvalid_i = dut->wvalid_i = 1;
    dut->awaddr_i = address;
    dut->wdata_i = value;
    dut->wstrb_i = 15;
    dut.settle();
    while (!dut->awready_o) cycle();
    CHECK(dut->wready_o == 1);
    cycle();
    dut->awvalid_i = dut->wvalid_i = 0;
    while (!dut->bvalid_o) cycle();
    const unsigned response = dut->bresp_o;
    cycle();
    return response;
  }
  /// Response and word.
  std::pair<unsigned, std::uint32_t> read(std::uint32_t address) {
    dut->arvalid_i = 1;
    dut->araddr_i = address;
    dut.settle();
    while (!dut->arready_o) cycle();
    cycle();
    dut->arvalid_i = 0;
    while (!dut->rvalid_o) cycle();
    const std::pair<unsigned, std::uint32_t> got{dut->rresp_o, dut->rdata_o};
    cycle();
    return got;
  }
};

}  // namespace

TEST_CASE("the image alone is written before the first access, behind the sweep", "[rtl][wrap]") {
  Network network;
  for (int round = 0; round < 2; ++round) {
    // An access that is there from the beginning waits.
    CHECK(network.write(0x4000 + 4 * 0x800, 0x1234) == 0);
    std::vector<Write> expected;
    for (unsigned w = 0; w < kImage.size(); ++w)
      expected.push_back({kWait + 2 + w, 1u << (kImage[w] >> 44),
                          static_cast<unsigned>(kImage[w] >> 32 & 0xFFF),
                          static_cast<std::uint32_t>(kImage[w])});
    REQUIRE(network.writes.size() == expected.size() + 1);
    CHECK(network.writes.back().cycle > expected.back().cycle);
    CHECK(network.writes.back().blocks == 0b010);
    CHECK(network.writes.back().address == 0x800);
    CHECK(network.writes.back().value == 0x1234);
    network.writes.pop_back();
    CHECK(network.writes == expected);
    // And again after each reset.
    network.dut.reset();
    network.dut.settle();
    CHECK(network.dut->ready_o == 0);
    network.writes.clear();
    network.now = 0;
  }
}

TEST_CASE("each switch has its window, and there is nothing behind the last", "[rtl][wrap]") {
  Network network;
  while (!network.dut->ready_o) network.cycle();
  network.writes.clear();
  for (unsigned b = 0; b < kBlocks; ++b) {
    for (const std::uint32_t word : {0u, 0x41u, 0xFFFu}) {
      const std::uint32_t address = b << 14 | word << 2;
      CHECK(network.read(address) == std::pair{0u, b << 16 | word});
      CHECK(network.write(address, 5 * word) == 0);
      REQUIRE(!network.writes.empty());
      CHECK(network.writes.back().blocks == 1u << b);
      CHECK(network.writes.back().address == word);
      CHECK(network.writes.back().value == 5 * word);
    }
  }
  CHECK(network.writes.size() == 9);
  CHECK(network.read(kBlocks << 14) == std::pair{3u, 0u});
  CHECK(network.write(kBlocks << 14, 1) == 3);
  CHECK(network.read(2) == std::pair{2u, 0u});
  CHECK(network.writes.size() == 9);
}

TEST_CASE("an access is at its switch two cycles after it was accepted, and answered two later",
          "[rtl][wrap]") {
  Network network;
  auto& dut = network.dut;
  while (!dut->ready_o) network.cycle();
  const auto cycle = [&](std::uint32_t word) {
    dut.settle();
    for (unsigned b = 0; b < kBlocks; ++b) dut->reg_rdata_i[b] = b == 1 ? word : 0;
    dut.settle();
    dut.edge();
    dut.settle();
  };
  for (const bool write : {false, true}) {
    CAPTURE(write);
    dut->awvalid_i = dut->wvalid_i = write;
    dut->arvalid_i = !write;
    dut->awaddr_i = dut->araddr_i = 1u << 14 | 4 * 0x40;
    dut->wdata_i = 77;
    dut->wstrb_i = 15;
    dut.settle();
    REQUIRE((write ? dut->awready_o && dut->wready_o : dut->arready_o));
    cycle(0);  // t
    for (unsigned now = 1; now < 4; ++now) {
      CAPTURE(now);
      CHECK(dut->reg_valid_o == (now == 2 ? 0b010 : 0));
      if (now == 2) CHECK((dut->reg_write_o == write && dut->reg_addr_o == 0x40));
      CHECK_FALSE((dut->bvalid_o || dut->rvalid_o));
      cycle(now == 2 ? 55 : 0);  // a switch answers in the cycle in which it is asked
    }
    CHECK((write ? dut->bvalid_o : dut->rvalid_o) == 1);
    if (!write) CHECK(dut->rdata_o == 55);
    // The next one of the same kind waits until then.
    CHECK((write ? dut->awready_o && dut->wready_o : dut->arready_o));
    dut->awvalid_i = dut->wvalid_i = dut->arvalid_i = 0;
    cycle(0);
  }
}
