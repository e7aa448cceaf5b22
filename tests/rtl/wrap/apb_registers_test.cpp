// SPDX-License-Identifier: Apache-2.0
#include "Vapb_few.h"
#include "rtl/clocked.hpp"

using namespace muster;
using namespace muster::test;

namespace {

constexpr unsigned kWords = 40, kAddressBits = 8, kAllStrobes = 15;

struct Transfer {
  bool write;
  std::uint32_t address, word;
  unsigned strobes;
  bool bad() const {
    return address >= 4 * kWords || address % 4 != 0 ||
           (write && strobes != 0 && strobes != kAllStrobes);
  }
};

/// A requester and the registers behind the module.
class Requester {
 public:
  explicit Requester(std::uint64_t seed) : dut_(seed) {}

  void idle() {
    dut_->psel_i = dut_->penable_i = 0;
    look(std::nullopt);
    dut_.edge();
  }

  /// Two cycles: set up, done.
  void transfer(const Transfer& t) {
    dut_->psel_i = 1;
    dut_->penable_i = 0;
    dut_->pwrite_i = t.write;
    dut_->paddr_i = t.address;
    dut_->pwdata_i = t.word;
    dut_->pstrb_i = t.strobes;
    const bool reads = !t.write && !t.bad();
    const bool writes = t.write && !t.bad() && t.strobes == kAllStrobes;
    look(reads || writes ? std::optional(writes) : std::nullopt);
    const std::uint32_t word = reads ? at(t.address / 4) : 0;
    if (writes) {
      REQUIRE(dut_->reg_addr_o == t.address / 4);
      REQUIRE(dut_->reg_wdata_o == t.word);
      words_[t.address / 4] = t.word;
    }
    dut_.edge();
    dut_->penable_i = 1;
    look(std::nullopt);
    REQUIRE(dut_->pready_o);
    REQUIRE(dut_->pslverr_o == t.bad());
    if (!t.write) REQUIRE(dut_->prdata_o == word);
    dut_.edge();
  }

 private:
  std::uint32_t at(std::uint32_t index) {
    const auto found = words_.find(index);
    return found == words_.end() ? ~index : found->second;
  }
  /// The access that the register port must see in this cycle: a write or a read, or none.
  void look(std::optional<bool> write) {
    dut_.settle();
    REQUIRE(dut_->reg_valid_o == write.has_value());
    if (write) REQUIRE(dut_->reg_write_o == *write);
    dut_->reg_rdata_i = at(dut_->reg_addr_o);
    dut_.settle();
  }

  Clocked<Vapb_few> dut_;
  std::map<std::uint32_t, std::uint32_t> words_;
};

}  // namespace

TEST_CASE("APB transfers reach the register port once each, or are refused", "[rtl][wrap]") {
  const std::uint64_t seed = muster_seed();
  Random rng(seed);
  Requester requester(seed);
  int bad = 0, written = 0;
  for (int i = 0; i < 3000; ++i) {
    while (rng.below(3) == 0) requester.idle();
    Transfer t{rng.below(2) == 0, rng.below(8) * 4, rng.word(), kAllStrobes};
    if (rng.below(8) == 0) t.address = rng.below(1 << kAddressBits);
    if (rng.below(8) == 0) t.strobes = static_cast<unsigned>(rng.below(16));
    bad += t.bad();
    written += t.write && !t.bad();
    requester.transfer(t);
  }
  CHECK(bad > 100);
  CHECK(written > 1000);
}
