// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "muster/core/rng.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

using U = UnitBench;

/// Steps until `port` shows a flit, at most 50 cycles.
std::uint64_t cycle_of_next(UnitBench& bench, std::uint32_t port) {
  for (int i = 0; i < 50 && !bench.valid(port); ++i) bench.step();
  REQUIRE(bench.valid(port));
  return bench.now();
}

TEST_CASE(
    "DataPath: a packet behind another in the same queue loses one cycle for its table access",
    "[golden][data]") {
  UnitBench bench(unit(4, 1));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 2);
  bench.send(0, U::single(1));
  bench.step();
  bench.send(0, U::single(2));
  bench.step();
  CHECK(cycle_of_next(bench, 1) == 4);
  CHECK(cycle_of_next(bench, 2) == 6);
}

TEST_CASE("DataPath: a head inside a packet ends it, and flits without a head are dropped",
          "[golden][data]") {
  UnitBench bench(unit(4, 1));
  bench.route(1, 1u << 1);
  bench.route(2, 1u << 2);
  for (const auto& flit : {U::body(2), U::head(1), U::head(2), U::tail(2)}) {
    bench.send(0, flit);
    bench.step();
  }
  std::vector<core::Flit> out;
  std::uint32_t credits = 0;
  for (int t = 0; t < 12; ++t, bench.step()) {
    if (bench.outputs() != 0) out.push_back(bench.out(1));
    CHECK((bench.outputs() & ~2u) == 0);
    credits += bench.credits() != 0;
  }
  CHECK(out == std::vector<core::Flit>{U::head(1), core::Flit::cut_mark(0)});
  CHECK(credits == 3);  // that of the first came before
  CHECK(bench.read(0x004) == 3u << 16);
  CHECK(bench.quiescent());
}

TEST_CASE("DataPath: an output serves the inputs in turn, from input 0 after reset",
          "[golden][data]") {
  UnitBench bench(unit(4, 1, 4));
  bench.route(1, 1u << 3);
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 3; ++i) bench.send(i, U::single(1));
    bench.step();
  }
  // Each input needs a table access for its second packet, hidden behind the others' turns.
  std::vector<std::uint32_t> order;
  for (int t = 0; t < 12; ++t) {
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { order.push_back(port_of(lane)); });
    if (bench.valid(3)) bench.give_credit(3);
    bench.step();
  }
  CHECK(order == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2});

  // The pointer stands behind input 2.
  bench.send(0, U::single(1));
  bench.send(3, U::single(1));
  bench.step(3);
  CHECK(bench.credits() == bit(lane_of(3, 0)));
  bench.step();
  CHECK(bench.credits() == bit(lane_of(0, 0)));
}

TEST_CASE("DataPath: an input serves its virtual channels in turn, one flit a cycle",
          "[golden][data]") {
  const std::uint32_t last = GENERATE(0, 1, 2, 3);
  UnitBench bench(unit(5, 4, 4));
  for (std::uint32_t d = 0; d < 4; ++d) bench.route(d, 1u << d);
  // Spend all credits of lane v at output v, channel `last` last: its pointer stands behind it.
  for (std::uint32_t i = 1; i <= 4; ++i) {
    const auto v = static_cast<std::uint8_t>((last + i) % 4);
    for (int n = 0; n < 4; ++n, bench.step()) bench.send(4, U::single(v), v);
    bench.step(12);
  }
  for (std::uint8_t v = 0; v < 4; ++v, bench.step()) bench.send(4, U::single(v), v);
  bench.step(8);
  REQUIRE(bench.outputs() == 0);
  for (std::uint32_t v = 0; v < 4; ++v) bench.give_credit(v, v);
  bench.step(2);  // the counter rises at the first edge, allocation follows at the second
  for (std::uint32_t i = 1; i <= 4; ++i, bench.step()) {
    CHECK(bench.credits() == bit(lane_of(4, (last + i) % 4)));
  }
  CHECK(bench.credits() == 0);
}

TEST_CASE("DataPath: only the winner's pointers move", "[golden][data]") {
  // Inputs 0 and 1 want output 2 on both channels.
  UnitBench bench(unit(4, 2, 4));
  bench.route(1, 1u << 2);
  for (std::uint8_t v = 0; v < 2; ++v) {
    bench.send(0, U::single(1), v);
    bench.send(1, U::single(1), v);
    bench.step();
  }
  std::vector<std::uint32_t> lanes;
  for (int t = 0; t < 8; ++t, bench.step()) {
    for_each_bit(bench.credits(), [&](std::uint32_t lane) { lanes.push_back(lane); });
  }
  // t+2: input 0 with vc 0 (only those are active), then input 1, whose pointer stayed at vc 0
  // although its pick lost; then input 0 with vc 1, input 1 with vc 1.
  CHECK(lanes ==
        std::vector<std::uint32_t>{lane_of(0, 0), lane_of(1, 0), lane_of(0, 1), lane_of(1, 1)});
}

TEST_CASE("DataPath: packets on one output channel do not mix, those on different channels may",
          "[golden][data]") {
  UnitBench bench(unit(4, 2, 4));
  bench.route(1, 1u << 3);
  // Input 0 starts a packet on vc 0 and pauses; input 1 wants vc 0 too, input 2 uses vc 1.
  bench.send(0, U::head(1), 0);
  bench.step();
  bench.send(1, U::single(1), 0);
  bench.send(2, U::single(1), 1);
  std::uint64_t taken = 0;
  for (int t = 0; t < 10; ++t, bench.step()) taken |= bench.credits();
  CHECK(taken == (bit(lane_of(0, 0)) | bit(lane_of(2, 1))));
  bench.send(0, U::tail(5), 0);
  bench.step(3);
  CHECK(bench.out(3) == U::tail(5));  // body flits take no table access: three cycles
  bench.step();
  CHECK(bench.out(3) == U::single(1));
}

TEST_CASE("DataPath: a packet without a route is discarded and counted at its tail",
          "[golden][data]") {
  UnitBench bench(unit(4, 2, 4));
  // Port 1 interleaves two packets, port 2 sends one: all three tails are taken in cycle 4.
  const auto drive = [&](std::uint64_t t) {
    if (t == 0) bench.send(1, U::head(5), 1);
    if (t == 1) bench.send(1, U::head(6), 0);
    if (t == 2) bench.send(1, U::tail(0), 0);
    if (t == 3) bench.send(1, U::tail(0), 1);
    if (t == 1) bench.send(2, U::head(7), 0);
    if (t == 2) bench.send(2, U::tail(0), 0);
  };
  const std::uint64_t a = bit(lane_of(1, 0)), b = bit(lane_of(1, 1)), c = bit(lane_of(2, 0));
  const std::vector<std::uint64_t> credits = {0, 0, 0, b, a | c, a | b | c, 0};
  for (std::uint64_t t = 0; t < credits.size(); ++t, bench.step()) {
    CAPTURE(t);
    CHECK(bench.credits() == credits[t]);
    CHECK(bench.read(0x004) == (t < 5 ? 0 : 3));
    CHECK(bench.outputs() == 0);
    drive(t);
  }
  CHECK(bench.quiescent());
  // The queue is idle again.
  bench.route(5, 1u << 0);
  bench.send(1, U::single(5), 1);
  bench.step(4);
  CHECK(bench.outputs() == 1);
}

using core::Flit;

constexpr std::uint32_t kSwitches = 37, kDepth = 2, kDestinations = 64;

/// Switches, each alone, that get random packets by their credits and now and then a barrier
/// message of a group that they do not know, and give credits back at random.
class Surroundings {
 public:
  Surroundings(std::uint32_t ports, std::uint32_t vcs, std::uint64_t seed)
      : ports_(ports), vcs_(vcs), rng_(seed), lanes_(std::size_t{kSwitches} * kMaxLanes) {}

  /// Puts the inputs of a cycle, which follow from the outputs of `seen`, on the wires of both.
  void drive(core::Bank& seen, core::Bank& other) {
    for (std::uint32_t b = 0; b < kSwitches; ++b) {
      take_outputs(b, seen);
      for (std::uint32_t p = 0; p < ports_; ++p) {
        if (rng_.below(3) != 0) send(b, p, seen);
        give_back(b, p, seen);
        other.rx(b, p) = seen.rx(b, p);
      }
      other.wires(b).rx_valid = seen.wires(b).rx_valid;
      other.wires(b).tx_back = seen.wires(b).tx_back;
    }
  }

 private:
  struct Lane {
    std::uint32_t credits = kDepth, left = 0, owed = 0;  // flits of its packet; credits to give
  };
  Lane& lane(std::uint32_t b, std::uint32_t lane) { return lanes_[b * kMaxLanes + lane]; }

  void take_outputs(std::uint32_t b, core::Bank& bank) {
    for_each_bit(bank.wires(b).rx_back, [&](std::uint32_t l) { ++lane(b, l).credits; });
    for_each_bit(bank.wires(b).tx_valid, [&](std::uint32_t p) {
      if (!bank.tx(b, p).sync()) ++lane(b, lane_of(p, bank.tx(b, p).vc)).owed;
    });
  }
  void send(std::uint32_t b, std::uint32_t p, core::Bank& bank) {
    const auto vc = static_cast<std::uint8_t>(rng_.below(vcs_));
    Lane& from = lane(b, lane_of(p, vc));
    Flit flit{.lo = rng_.below(kDestinations), .vc = vc};
    if (rng_.below(50) == 0) {
      flit.kind = Flit::kSync;
    } else if (from.credits == 0) {
      return;
    } else {
      if (from.left == 0) {
        from.left = 1 + static_cast<std::uint32_t>(rng_.below(5));
        flit.kind |= Flit::kHead;
      }
      if (--from.left == 0) flit.kind |= Flit::kTail;
      --from.credits;
    }
    bank.rx(b, p) = flit;
    bank.wires(b).rx_valid |= 1u << p;
  }
  void give_back(std::uint32_t b, std::uint32_t p, core::Bank& bank) {
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
      Lane& to = lane(b, lane_of(p, vc));
      if (to.owed == 0 || rng_.below(2) == 0) continue;
      --to.owed;
      bank.wires(b).tx_back |= bit(lane_of(p, vc));
    }
  }

  std::uint32_t ports_, vcs_;
  Rng rng_;
  std::vector<Lane> lanes_;
};

void compare(core::Bank& a, core::Bank& b, std::uint64_t cycle) {
  for (std::uint32_t s = 0; s < kSwitches; ++s) {
    INFO("cycle " << cycle << ", switch " << s);
    REQUIRE(a.wires(s).tx_valid == b.wires(s).tx_valid);
    REQUIRE(a.wires(s).rx_back == b.wires(s).rx_back);
    REQUIRE(a.quiescent(s) == b.quiescent(s));
    for_each_bit(a.wires(s).tx_valid, [&](std::uint32_t p) { REQUIRE(a.tx(s, p) == b.tx(s, p)); });
  }
}

TEST_CASE(
    "cycles of data only, of many switches together, are as those in which all parts have "
    "their turn",
    "[golden]") {
  const std::uint32_t ports = GENERATE(3u, 5u, 8u, 13u), vcs = GENERATE(1u, 2u);
  SwitchBank<BarrierSwitch> together(kSwitches, sw(ports, vcs, kDepth));
  SwitchBank<BarrierSwitch> alone(kSwitches, sw(ports, vcs, kDepth));
  for (core::Bank* const bank :
       {static_cast<core::Bank*>(&together), static_cast<core::Bank*>(&alone)}) {
    for (std::uint32_t s = 0; s < kSwitches; ++s)
      for (std::uint32_t d = 0; d + 1 < kDestinations; ++d)  // the last one has no route
        bank->write_register(s, 0x800 + d, 1u << d % ports);
  }
  std::vector<std::uint32_t> all(kSwitches);
  std::iota(all.begin(), all.end(), 0u);
  Surroundings around(ports, vcs, ports + vcs);
  std::uint64_t flits = 0;
  for (std::uint64_t cycle = 0; cycle < 300; ++cycle) {
    around.drive(together, alone);
    for (const std::uint32_t s : all) alone.request({s, false, 1, 0});  // the host reads
    together.clock(cycle, all);
    alone.clock(cycle, all);
    compare(together, alone, cycle);
    for (const std::uint32_t s : all)
      flits += static_cast<std::uint64_t>(std::popcount(together.wires(s).tx_valid));
  }
  CHECK(flits > 300 * kSwitches / 2);
  for (const std::uint32_t s : all) CHECK(together.describe(s) == alone.describe(s));
}

}  // namespace

}  // namespace muster::golden
