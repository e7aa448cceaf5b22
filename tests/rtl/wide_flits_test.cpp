// SPDX-License-Identifier: Apache-2.0
#include "Vwide_flits.h"
#include "fabric/register_map.hpp"
#include "rtl/clocked.hpp"

using namespace muster;
namespace registers = fabric::registers;

namespace {

constexpr std::uint32_t kSwitch = 2, kGid = 5, kWidths = 0x002;
constexpr std::uint32_t kControl = 0x040, kArrive = 0x041, kResult = 0x043;  // group 0 of a node

class Bench {
 public:
  explicit Bench(std::uint64_t seed) : dut_(seed), rng_(seed) {
    dut_->valid_i = dut_->take_i = dut_->flips_i = dut_->reg_valid_i = 0;
    dut_.reset();
    for (int i = 0; i < 100; ++i) edge();  // the table is swept, the links come up
  }
  void edge() {
    dut_.settle();
    REQUIRE_FALSE(dut_->differs_o);
    REQUIRE_FALSE(dut_->wrong_o);
    REQUIRE_FALSE(dut_->down_o);
    for (unsigned n = 0; n < 2; ++n) {
      if (dut_->beat_o >> n & 1) {
        ++received;
        sum_ -= dut_->data_o >> 16 * n & 0xffff;
      }
      if (offered_[n] && (dut_->ready_o >> n & 1)) {
        ++sent;
        sum_ += dut_->data_i >> 16 * n & 0xffff;
        offered_[n] = false;
        open_[n] = !(dut_->last_i >> n & 1);
      }
    }
    dut_.edge();
    ++cycle;
    for (unsigned n = 0; n < 2; ++n) set(dut_->valid_i, n, offered_[n]);
    dut_->take_i = dut_->flips_i = 0;
  }
  void write(std::uint32_t block, std::uint32_t address, std::uint32_t word) {
    ask(block, address, true);
    dut_->reg_wdata_i = word;
    edge();
    dut_->reg_valid_i = 0;
  }
  /// At 80 bits, and at 512.
  std::array<std::uint32_t, 2> read(std::uint32_t block, std::uint32_t address) {
    ask(block, address, false);
    dut_.settle();
    const auto both = static_cast<std::uint64_t>(dut_->reg_rdata_o);
    dut_->reg_valid_i = 0;
    return {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32)};
  }
  /// A cycle of traffic: beats of both nodes, now and then a frame with one or two wrong bits.
  void traffic() {
    for (unsigned n = 0; n < 2; ++n) {
      if (offered_[n] || rng_.below(4) == 0 || (ends_ && !open_[n])) continue;
      offered_[n] = true;
      set(dut_->last_i, n, ends_ || rng_.below(5) == 0);
      if (!open_[n]) set(dut_->channel_i, n, rng_.below(2));
      const std::uint32_t data = rng_.below(1u << 16);
      dut_->data_i = (dut_->data_i & ~(0xffffu << 16 * n)) | data << 16 * n;
    }
    for (unsigned n = 0; n < 2; ++n) set(dut_->valid_i, n, offered_[n]);
    dut_->take_i = static_cast<std::uint8_t>(cycle / 200 % 4 == 3 ? 0 : rng_.below(4));
    dut_->flips_i = rng_.below(12) == 0 ? static_cast<std::uint8_t>(1u << rng_.below(4)) : 0;
    flips += dut_->flips_i != 0;
    const std::uint64_t bit = rng_.below(1u << 10);
    const std::uint64_t other = rng_.below(4) == 0 ? rng_.below(1u << 10) : bit;
    dut_->bit_i = static_cast<std::uint32_t>(other << 10 | bit);
    edge();
  }
  /// Ends the packets, and has all beats arrive.
  void drain() {
    ends_ = true;
    for (int i = 0; i < 3000; ++i) traffic();
    CHECK(sum_ == 0);
    CHECK(received == sent);
  }
  bool released() const { return dut_->irq_o == 3; }

  std::uint64_t cycle = 0, sent = 0, received = 0, flips = 0;

 private:
  template <class Port>
  static void set(Port& port, unsigned bit, std::uint64_t value) {
    port = static_cast<Port>((port & ~(1u << bit)) | value << bit);
  }
  void ask(std::uint32_t block, std::uint32_t address, bool write) {
    dut_->reg_valid_i = static_cast<std::uint8_t>(1u << block);
    dut_->reg_write_i = write;
    dut_->reg_addr_i = static_cast<std::uint16_t>(address);
  }

  mutable muster::test::Clocked<Vwide_flits> dut_;
  Random rng_;
  std::array<bool, 2> offered_{}, open_{};
  bool ends_ = false;
  std::uint64_t sum_ = 0;  // of the beats that are on their way
};

}  // namespace

TEST_CASE("flits of 512 bits do in each cycle what flits of 80 bits do", "[rtl][wide]") {
  Bench bench(muster_seed());
  for (std::uint32_t n = 0; n < 2; ++n) {
    bench.write(kSwitch, 0x800 + n, 1u << n);
    bench.write(n, kControl, 3u << 30 | kGid);
  }
  bench.write(kSwitch, registers::children(0), 3);
  bench.write(kSwitch, registers::control(0), registers::control_word(kGid, 0, true));
  const auto [narrow, wide] = bench.read(kSwitch, kWidths);
  CHECK((narrow & 0x3ff) == 80);
  CHECK((wide & 0x3ff) == 512);
  CHECK(narrow >> 10 == wide >> 10);

  constexpr unsigned kBarriers = 40;
  for (unsigned barrier = 0; barrier < kBarriers; ++barrier) {
    CAPTURE(barrier, bench.cycle);
    const std::uint32_t all = 1u << (barrier % 31) | 1;
    for (std::uint32_t n = 0; n < 2; ++n) {
      for (int i = 0; i < 60; ++i) bench.traffic();
      bench.write(n, kArrive, 1u << (barrier % 31) | n);
    }
    const auto limit = bench.cycle + 2000;
    while (!bench.released() && bench.cycle < limit) bench.traffic();
    REQUIRE(bench.released());
    for (std::uint32_t n = 0; n < 2; ++n) CHECK(bench.read(n, kResult) == std::array{all, all});
  }
  bench.drain();
  CHECK(bench.received > 500);
  CHECK(bench.flips > 200);
}
