// SPDX-License-Identifier: Apache-2.0
#include "Vgated_switch.h"
#include "Vreset_sync_2.h"
#include "Vreset_sync_4.h"
#include "rtl/clocked.hpp"

using namespace muster;
using namespace muster::test;

namespace {

constexpr unsigned kPorts = 3, kDepth = 4;

/// Flits of whole packets of two on channel 0, for destinations 0 to 2 and for none, and barrier
/// messages of group 1, as credits allow.
class Traffic {
 public:
  Traffic(Random& rng, Vgated_switch& dut) : rng_(rng), dut_(dut) {}

  /// Inputs of a cycle in which each port is busy with this chance, in percent.
  void offer(unsigned rate) {
    dut_.rx_valid_i = dut_.tx_credit_i = dut_.rx_kind_i = 0;
    std::uint64_t payload = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      if (spent_[p] != 0 && rng_.below(100) < 50) {  // what it was sent is taken
        dut_.tx_credit_i |= 1u << 2 * p;
        --spent_[p];
      }
      if (rng_.below(100) >= rate) continue;
      const bool sync = !inside_[p] && rng_.below(4) == 0;
      if (!sync && credits_[p] == 0) continue;
      dut_.rx_valid_i |= 1u << p;
      dut_.rx_kind_i |= (sync ? 4u : inside_[p] ? 1u : 2u) << 3 * p;
      payload |= (sync ? 1ull << 6 : rng_.below(4)) << 16 * p;
      if (sync) continue;
      --credits_[p];
      inside_[p] = !inside_[p];
    }
    dut_.rx_vc_i = 0;
    dut_.rx_payload_i = payload;
  }

  /// Credits of the switch, and flits that it sent, in this cycle.
  void observe(std::uint32_t valid, std::uint64_t kind, std::uint32_t credit) {
    for (unsigned p = 0; p < kPorts; ++p) {
      credits_[p] += credit >> 2 * p & 1;
      spent_[p] += (valid >> p & 1) != 0 && (kind >> 3 * p & 4) == 0;
    }
  }

 private:
  Random& rng_;
  Vgated_switch& dut_;
  std::array<unsigned, kPorts> credits_{kDepth, kDepth, kDepth}, spent_{};
  std::array<bool, kPorts> inside_{};
};

/// Bits of an output of the first switch.
std::uint64_t bits(const Vgated_switch& dut, unsigned from, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned at = from + i;
    value |= static_cast<std::uint64_t>(dut.out_o[at / 32] >> at % 32 & 1) << i;
  }
  return value;
}

}  // namespace

TEST_CASE("a switch behind a clock gate does what it does without, and rests", "[rtl][wrap]") {
  const std::uint64_t seed = muster_seed();
  Random rng(seed);
  Clocked<Vgated_switch> dut(seed);
  dut->rx_valid_i = dut->tx_credit_i = dut->reg_valid_i = 0;
  dut.reset();
  constexpr unsigned kOut = kPorts * 23 + 33, kKind = 2 * kPorts, kCredit = kPorts * 21;
  const auto cycle = [&] {
    dut.settle();
    CHECK(bits(*dut, 0, 60) == bits(*dut, kOut, 60));
    CHECK(bits(*dut, 60, kOut - 60) == bits(*dut, kOut + 60, kOut - 60));
    const unsigned before = dut->edges_o;
    const bool wakes = !dut->rests_o || dut->rx_valid_i || dut->tx_credit_i || dut->reg_valid_i;
    dut.edge();
    REQUIRE(dut->edges_o == before + wakes);
  };
  const auto write = [&](unsigned address, std::uint32_t word) {
    dut->reg_valid_i = dut->reg_write_i = 1;
    dut->reg_addr_i = address;
    dut->reg_wdata_i = word;
    cycle();
    dut->reg_valid_i = dut->reg_write_i = 0;
  };
  for (int i = 0; i < 20; ++i) cycle();  // the table is swept
  for (unsigned d = 0; d < kPorts; ++d) write(0x800 + d, 1u << d);

  Traffic traffic(rng, *dut);
  unsigned rested = 0;
  for (const unsigned rate : {0u, 3u, 60u, 100u, 1u}) {
    for (int i = 0; i < 500; ++i) {
      traffic.offer(rate);
      cycle();
      rested += dut->rests_o;
      traffic.observe(bits(*dut, 0, kPorts), bits(*dut, kKind, 3 * kPorts),
                      bits(*dut, kCredit, 2 * kPorts));
    }
  }
  CHECK(rested > 500);
}

TEMPLATE_TEST_CASE("a reset falls at once and rises after the stages", "[rtl][wrap]", Vreset_sync_2,
                   Vreset_sync_4) {
  const unsigned stages = std::is_same_v<TestType, Vreset_sync_2> ? 2 : 4;
  Random rng(muster_seed());
  VerilatedContext context;
  TestType dut(&context);
  unsigned high = 0;  // edges since arst_ni rose
  dut.clk_i = dut.arst_ni = 0;
  for (int i = 0; i < 2000; ++i) {
    if (rng.below(2) != 0) {
      dut.arst_ni = rng.below(8) != 0;  // shorter than a cycle, with the clock high or low
      if (!dut.arst_ni) high = 0;
    } else {
      dut.clk_i = !dut.clk_i;
      if (dut.clk_i && dut.arst_ni) ++high;
    }
    dut.eval();
    REQUIRE(dut.rst_no == (dut.arst_ni && high >= stages));
  }
}
