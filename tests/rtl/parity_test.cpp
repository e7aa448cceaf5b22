// SPDX-License-Identifier: Apache-2.0
#include "Vparity_switch.h"
#include "Vparity_switch___024root.h"
#include "rtl/clocked.hpp"

// What Verilator calls it.
#define TABLE \
  muster_barrier_switch__DOT__path__DOT__inputs__DOT__routes__DOT__gen_copy__BRA__0__KET____DOT__mem

using namespace muster;

namespace {

constexpr std::uint32_t kNoRouteDrops = 0x004, kIrqEnable = 0x00E, kIrqCauses = 0x00F,
                        kRoutes = 0x800;
constexpr unsigned kDamage = 1u << 4, kDrops = 1, kPort = 2;

/// A switch of 3 ports and one virtual channel with a parity bit in each entry of its table.
class Bench {
 public:
  explicit Bench(std::uint64_t seed) : dut_(seed) {
    dut_->rx_valid_i = dut_->rx_vc_i = dut_->tx_credit_i = dut_->reg_valid_i = 0;
    dut_.reset();
    for (int i = 0; i < 20; ++i) edge();  // the table is swept
  }
  /// The outputs through which flits of data left.
  unsigned edge() {
    dut_.settle();
    const auto sent = dut_->tx_valid_o;
    dut_.edge();
    dut_->rx_valid_i = dut_->reg_valid_i = 0;
    dut_->tx_credit_i = sent;  // taken at once
    return sent;
  }
  void write(std::uint32_t address, std::uint32_t word) {
    dut_->reg_valid_i = dut_->reg_write_i = 1;
    dut_->reg_addr_i = static_cast<std::uint16_t>(address);
    dut_->reg_wdata_i = word;
    edge();
    edge();  // it is done in this cycle
  }
  std::uint32_t read(std::uint32_t address) {
    dut_->reg_valid_i = 1;
    dut_->reg_write_i = 0;
    dut_->reg_addr_i = static_cast<std::uint16_t>(address);
    dut_.settle();
    const std::uint32_t word = dut_->reg_rdata_o;
    dut_->reg_valid_i = 0;
    return word;
  }
  /// The outputs through which a packet of one flit from port 0 leaves.
  unsigned send(unsigned dest) {
    dut_->rx_valid_i = 1;
    dut_->rx_kind_i = 3;  // head and tail
    dut_->rx_payload_i = dest;
    unsigned sent = 0;
    for (int i = 0; i < 10; ++i) sent |= edge();
    return sent;
  }
  bool irq() const { return dut_->irq_o; }
  auto& entry(unsigned dest) { return dut_->rootp->TABLE[dest]; }

 private:
  mutable muster::test::Clocked<Vparity_switch> dut_;
};

}  // namespace

TEST_CASE("a packet with a damaged routing entry is dropped, and the host told", "[rtl][parity]") {
  Bench bench(muster_seed());
  bench.write(kIrqEnable, ~0u);
  CHECK(bench.read(kIrqEnable) == 0x1f);
  bench.write(kIrqEnable, kDamage);
  for (unsigned d = 0; d < 8; ++d) bench.write(kRoutes + d, 1u << kPort);
  for (unsigned d = 0; d < 8; ++d) CHECK(bench.send(d) == 1u << kPort);
  CHECK(bench.read(kIrqCauses) == 0);
  CHECK_FALSE(bench.irq());

  for (unsigned bit = 0; bit < 4; ++bit) {  // 3 of a route, and the parity
    bench.entry(bit) ^= static_cast<std::uint8_t>(1u << bit);
    CHECK(bench.send(bit) == 0);
    CHECK(bench.read(kIrqCauses) == (kDamage | kDrops));
    CHECK(bench.irq());
    CHECK((bench.read(kNoRouteDrops) & 0xf) == bit + 1);
    bench.write(kIrqCauses, kDamage | kDrops);
    CHECK_FALSE(bench.irq());
    CHECK(bench.send(bit + 4) == 1u << kPort);  // the others are as they were
    CHECK(bench.read(kIrqCauses) == 0);
    bench.write(kRoutes + bit, 1u << kPort);  // written again it is right
    CHECK(bench.send(bit) == 1u << kPort);
  }
}
