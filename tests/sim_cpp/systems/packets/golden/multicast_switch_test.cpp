// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/golden/multicast_switch.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/formats.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden {
namespace {

using core::Flit;
using Flits = std::vector<Flit>;

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
  std::array<std::vector<std::pair<std::uint64_t, Flit>>, 4> seen;
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
