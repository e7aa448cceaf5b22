// SPDX-License-Identifier: Apache-2.0
#include "Vaxi_lite_few.h"
#include "Vaxi_lite_many.h"
#include "rtl/clocked.hpp"

using namespace muster;
using namespace muster::test;

namespace {

template <class M, unsigned A, unsigned W>
struct AxiLite {
  using Model = M;
  static constexpr unsigned kAddressBits = A;
  static constexpr std::uint64_t kWords = W;
};
using Few = AxiLite<Vaxi_lite_few, 8, 40>;
using Many = AxiLite<Vaxi_lite_many, 20, 131072>;

constexpr unsigned kOkay = 0, kSubordinateError = 2, kDecodeError = 3, kAll = 15;

/// Address and word of an access on the register port.
using Access = std::pair<std::uint64_t, std::uint32_t>;

struct WriteData {
  std::uint32_t word;
  unsigned strobes;
};

/// Percent of cycles in which a channel that is idle begins, or a response is taken.
struct Rates {
  unsigned aw, w, ar, b, r;
};

/// A manager with random pauses on each channel, and registers behind the module whose words are
/// what was written, or else follow from the address.
template <class T>
class Manager {
 public:
  explicit Manager(std::uint64_t seed) : rng_(seed), dut_(seed) {}

  void cycle(const Rates& rates) {
    begin(rates);
    dut_.settle();
    answer_registers();
    check_responses();
    const bool aw = dut_->awvalid_i && dut_->awready_o, w = dut_->wvalid_i && dut_->wready_o;
    const bool ar = dut_->arvalid_i && dut_->arready_o;
    dut_.edge();
    if (aw) addresses_.push_back(*std::exchange(aw_, std::nullopt));
    if (w) data_.push_back(*std::exchange(w_, std::nullopt));
    if (ar) reads_.push_back(*std::exchange(ar_, std::nullopt));
  }

  /// Each address gets its data and each data their address, and all responses are taken.
  void finish() {
    for (int i = 0; i < 400; ++i) {
      const auto aw = addresses_.size() + aw_.has_value(), w = data_.size() + w_.has_value();
      cycle({aw < w ? 100u : 0u, w < aw ? 100u : 0u, 0, 50, 50});
    }
    REQUIRE(addresses_.empty());
    REQUIRE(data_.empty());
    REQUIRE(reads_.empty());
  }

  std::map<unsigned, int> writes, reads;  // how many of each response

 private:
  bool chance(unsigned percent) { return rng_.below(100) < percent; }
  std::uint64_t some_address() {
    const std::uint64_t bytes = 4 * T::kWords;
    if (chance(10)) return rng_.below(std::uint64_t{1} << T::kAddressBits);
    if (chance(10)) return bytes - 4;
    // In a few words, so that what is read has been written.
    return rng_.below(16) * 4 + (chance(5) ? 1 : 0);
  }

  void begin(const Rates& rates) {
    if (!aw_ && chance(rates.aw)) aw_ = some_address();
    if (!ar_ && chance(rates.ar)) ar_ = some_address();
    if (!w_ && chance(rates.w))
      w_ = WriteData{rng_.word(), chance(80) ? kAll : static_cast<unsigned>(rng_.below(16))};
    dut_->awvalid_i = aw_.has_value();
    dut_->wvalid_i = w_.has_value();
    dut_->arvalid_i = ar_.has_value();
    // Without valid anything may stand there.
    dut_->awaddr_i = aw_.value_or(rng_.below(256));
    dut_->araddr_i = ar_.value_or(rng_.below(256));
    dut_->wdata_i = w_ ? w_->word : rng_.word();
    dut_->wstrb_i = w_ ? w_->strobes : static_cast<unsigned>(rng_.below(16));
    dut_->bready_i = chance(rates.b);
    dut_->rready_i = chance(rates.r);
  }

  void answer_registers() {
    dut_->reg_rdata_i = rng_.word();
    if (dut_->reg_valid_o) {
      const std::uint64_t address = dut_->reg_addr_o;
      if (dut_->reg_write_o) {
        words_[address] = dut_->reg_wdata_o;
        written_.emplace_back(address, dut_->reg_wdata_o);
      } else {
        const auto found = words_.find(address);
        dut_->reg_rdata_i =
            found != words_.end() ? found->second : static_cast<std::uint32_t>(~address);
        read_.emplace_back(address, dut_->reg_rdata_i);
      }
    }
    dut_.settle();
  }

  static unsigned expected(std::uint64_t address, unsigned strobes) {
    if (address >= 4 * T::kWords) return kDecodeError;
    return address % 4 == 0 && (strobes == 0 || strobes == kAll) ? kOkay : kSubordinateError;
  }

  void check_responses() {
    if (b_held_) REQUIRE((dut_->bvalid_o && dut_->bresp_o == *b_held_));
    if (r_held_) REQUIRE((dut_->rvalid_o && Access(dut_->rresp_o, dut_->rdata_o) == *r_held_));
    b_held_.reset();
    r_held_.reset();
    if (dut_->bvalid_o && !dut_->bready_i) b_held_ = dut_->bresp_o;
    if (dut_->rvalid_o && !dut_->rready_i) r_held_ = Access(dut_->rresp_o, dut_->rdata_o);
    if (dut_->bvalid_o && dut_->bready_i) check_write();
    if (dut_->rvalid_o && dut_->rready_i) check_read();
  }

  /// What a write has done is on the register port before its response, and nothing else is.
  void check_write() {
    REQUIRE((!addresses_.empty() && !data_.empty()));
    const std::uint64_t address = addresses_.front();
    const WriteData data = data_.front();
    addresses_.pop_front();
    data_.pop_front();
    REQUIRE(dut_->bresp_o == expected(address, data.strobes));
    std::deque<Access> wanted;
    if (dut_->bresp_o == kOkay && data.strobes == kAll) wanted = {{address / 4, data.word}};
    REQUIRE(written_ == wanted);
    written_.clear();
    ++writes[dut_->bresp_o];
  }

  void check_read() {
    REQUIRE(!reads_.empty());
    const std::uint64_t address = reads_.front();
    reads_.pop_front();
    REQUIRE(dut_->rresp_o == expected(address, kAll));
    std::deque<Access> wanted;
    if (dut_->rresp_o == kOkay) wanted = {{address / 4, dut_->rdata_o}};
    if (dut_->rresp_o != kOkay) REQUIRE(dut_->rdata_o == 0);
    REQUIRE(read_ == wanted);
    read_.clear();
    ++reads[dut_->rresp_o];
  }

  Random rng_;
  Clocked<typename T::Model> dut_;
  std::optional<std::uint64_t> aw_, ar_;         // offered
  std::optional<WriteData> w_;                   //
  std::deque<std::uint64_t> addresses_, reads_;  // accepted, not answered
  std::deque<WriteData> data_;                   //
  std::deque<Access> written_, read_;            // seen on the register port, not answered
  std::map<std::uint64_t, std::uint32_t> words_;
  std::optional<unsigned> b_held_;
  std::optional<Access> r_held_;
};

}  // namespace

TEMPLATE_TEST_CASE("AXI4-Lite accesses reach the register port once each, in order, or are refused",
                   "[rtl][wrap]", Few, Many) {
  Manager<TestType> manager(muster_seed());
  for (const Rates& rates :
       {Rates{100, 100, 100, 100, 100}, Rates{100, 10, 50, 100, 100}, Rates{10, 100, 50, 100, 100},
        Rates{100, 100, 100, 15, 100}, Rates{100, 100, 100, 100, 15}, Rates{30, 30, 30, 30, 30},
        Rates{100, 100, 0, 100, 100}, Rates{0, 0, 100, 100, 100}}) {
    for (int i = 0; i < 700; ++i) manager.cycle(rates);
    manager.finish();
  }
  for (const unsigned response : {kOkay, kSubordinateError, kDecodeError}) {
    CHECK(manager.writes[response] > 20);
    CHECK(manager.reads[response] > 20);
  }
}

TEST_CASE("of a read and a write that both wait, that goes first whose kind did not go last",
          "[rtl][wrap]") {
  Clocked<Vaxi_lite_few> dut(muster_seed());
  dut->bready_i = dut->rready_i = 1;
  dut->wstrb_i = kAll;
  dut->awaddr_i = dut->araddr_i = 0;
  const auto cycle = [&](bool reads, bool writes) {
    dut->arvalid_i = reads;
    dut->awvalid_i = dut->wvalid_i = writes;
    dut.settle();
    dut.edge();
    dut->arvalid_i = dut->awvalid_i = dut->wvalid_i = 0;
    dut.settle();
  };
  for (int pause = 2; pause < 8; ++pause)
    for (const bool read_last : {false, true}) {
      CAPTURE(pause, read_last);
      cycle(read_last, !read_last);
      for (int i = 0; i < pause; ++i) cycle(false, false);
      cycle(true, true);
      REQUIRE((dut->reg_valid_o && dut->reg_write_o == read_last));
      for (int i = 0; i < 4; ++i) cycle(false, false);
    }
}
