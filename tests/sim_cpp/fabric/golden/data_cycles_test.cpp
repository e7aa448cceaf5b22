// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "muster/core/rng.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

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
