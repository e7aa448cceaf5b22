// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

#include "muster/core/rng.hpp"
#include "rtl/wrap/two_clocks.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;
using namespace muster::test::cdc;

namespace {

/// Groups whose messages use the link.
constexpr unsigned kGroups = 4;
constexpr unsigned kSync = 4;

/// Percent of cycles in which data and barrier messages are sent, a flit is taken, a side is reset.
struct CdcRates {
  unsigned data, messages, takes;
  unsigned resets = 0;  // in 10000
};

/// The block in domain a, with credits, and the block in domain b, with queues. Each is reset with
/// its side of the link. A flit carries the session of the sender and its number in it.
template <class T>
class CdcBench {
 public:
  CdcBench(std::uint64_t seed, const ClockSpec& a, const ClockSpec& b)
      : rng_(seed), dut_(seed, a, b) {
    dut_->a_rst_ni = dut_->b_rst_ni = 0;
    dut_->a_rx_valid_i = dut_->b_tx_credit_i = 0;
    a_reset_ = b_reset_ = 100;
    CdcRates nothing{0, 0, 0};
    // Both low at once, for an edge of each clock and longer.
    for (int i = 0; i < 60; ++i) edge(nothing);
    a_reset_ = 1 + static_cast<int>(rng_.below(20));
    b_reset_ = 1 + static_cast<int>(rng_.below(20));
  }

  void run(int edges, const CdcRates& rates) {
    for (int i = 0; i < edges; ++i) edge(rates);
  }
  void finish() {
    run(6000, {0, 0, 100});
    REQUIRE((dut_->a_up_o && dut_->b_up_o));
    REQUIRE(!dut_->a_overflow_o);
    REQUIRE(next_ == sent_);
    for (const unsigned credits : credits_) REQUIRE(credits == T::kDepth);
  }

  int received = 0, sessions = 0;

 private:
  bool chance(unsigned percent) { return rng_.below(100) < percent; }

  void edge(const CdcRates& rates) {
    dut_.edge([&](bool a, bool b) { before(a, b); },
              [&](bool a, bool b) {
                if (a) sender(rates);
                if (b) receiver(rates);
              });
  }

  void before(bool a, bool b) {
    if (a && dut_->a_rst_ni) {
      for (unsigned v = 0; v < T::kBacks; ++v) {
        if ((dut_->a_rx_credit_o >> v & 1) == 0) continue;
        ++credits_.at(v);
        REQUIRE(credits_[v] <= T::kDepth);
      }
    }
    if (b && dut_->b_rst_ni && dut_->b_tx_valid_o) receive();
  }

  void receive() {
    const unsigned session = dut_->b_tx_payload_o >> 9, number = dut_->b_tx_payload_o & 0x1FF;
    if (next_ == 0) {
      // Nothing of a session that the receiver had before its reset.
      REQUIRE((session != from_ || first_));
      from_ = session;
      first_ = false;
      ++sessions;
    }
    REQUIRE(session == from_);
    REQUIRE(number == next_ % 512);
    ++next_;
    ++received;
    REQUIRE(dut_->b_tx_kind_o == kind_of(number));
    if (kind_of(number) == kSync) {
      messages_ -= session == session_ ? 1 : 0;
      return;
    }
    const unsigned vc = vc_of(number);
    REQUIRE(dut_->b_tx_vc_o == vc);
    ++queued_.at(vc);
    REQUIRE(queued_[vc] <= T::kDepth);
  }

  static unsigned kind_of(unsigned number) { return number % 5 == 0 ? kSync : number % 4; }
  static unsigned vc_of(unsigned number) { return number / 3 % T::kChannels; }

  void sender(const CdcRates& rates) {
    dut_->a_rx_valid_i = 0;
    if (a_reset_ == 0 && (chance_of_reset(rates) || (dut_->a_broken_o && chance(10)))) {
      a_reset_ = 1 + static_cast<int>(rng_.below(4));
    }
    dut_->a_rst_ni = a_reset_ == 0;
    if (a_reset_ > 0) {
      --a_reset_;
      credits_.fill(T::kDepth);
      session_ = (session_ + (sent_ > 0)) % 128;
      sent_ = 0;
      messages_ = 0;
      return;
    }
    if (!dut_->a_up_o) return;
    const unsigned number = sent_ % 512, kind = kind_of(number), vc = vc_of(number);
    if (kind == kSync) {
      if (messages_ >= static_cast<int>(kGroups) || !chance(rates.messages)) return;
      ++messages_;
    } else {
      if (credits_[vc] == 0 || !chance(rates.data)) return;
      --credits_[vc];
    }
    ++sent_;
    dut_->a_rx_valid_i = 1;
    dut_->a_rx_vc_i = vc;
    dut_->a_rx_kind_i = kind;
    dut_->a_rx_payload_i = session_ << 9 | number;
  }

  void receiver(const CdcRates& rates) {
    dut_->b_tx_credit_i = 0;
    if (b_reset_ == 0 && (chance_of_reset(rates) || (dut_->b_broken_o && chance(10)))) {
      b_reset_ = 1 + static_cast<int>(rng_.below(4));
    }
    dut_->b_rst_ni = b_reset_ == 0;
    if (b_reset_ > 0) {
      --b_reset_;
      queued_.fill(0);
      next_ = 0;
      return;
    }
    for (unsigned v = 0; v < T::kChannels; ++v) {
      if (queued_[v] == 0 || !chance(rates.takes)) continue;
      --queued_[v];
      dut_->b_tx_credit_i |= 1u << v;
    }
  }
  bool chance_of_reset(const CdcRates& rates) { return rng_.below(10000) < rates.resets; }

  Rng rng_;
  TwoClocks<typename T::Model> dut_;
  int a_reset_, b_reset_;              // edges of reset that are left
  unsigned session_ = 0, sent_ = 0;    // of the sender
  int messages_ = 0;                   // on the way
  std::array<unsigned, 3> credits_{};  // by class
  unsigned from_ = 0, next_ = 0;       // of the receiver: whose flits it gets, how many it has
  bool first_ = true;
  std::array<unsigned, 3> queued_{};
};

}  // namespace

TEMPLATE_TEST_CASE("a link between two clocks loses, doubles and reorders nothing, at any ratio",
                   "[rtl][wrap]", Narrow, Wide) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  for (const Clocks& clocks : kClocks) {
    CAPTURE(clocks.a.period, clocks.b.period, clocks.b.phase, clocks.a.drift);
    CdcBench<TestType> bench(seed, clocks.a, clocks.b);
    for (const CdcRates& rates : {CdcRates{100, 100, 100}, CdcRates{100, 100, 5},
                                  CdcRates{20, 20, 100}, CdcRates{100, 10, 50}}) {
      bench.run(2500, rates);
    }
    bench.finish();
    CHECK(bench.received > 300);
    CHECK(bench.sessions == 1);
  }
}

TEMPLATE_TEST_CASE("a side of a link between two clocks that is reset begins a new session",
                   "[rtl][wrap]", Narrow, Wide) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  for (const Clocks& clocks : kClocks) {
    CAPTURE(clocks.a.period, clocks.b.period, clocks.b.phase, clocks.a.drift);
    CdcBench<TestType> bench(seed, clocks.a, clocks.b);
    bench.run(12000, {70, 70, 40, 20});
    bench.run(4000, {70, 70, 40, 300});  // again before the link is up
    bench.finish();
    CHECK(bench.sessions > 5);
  }
}

TEST_CASE("a flit and a credit take Stages + 2 edges of the other clock", "[rtl][wrap]") {
  for (const Clocks& clocks : kClocks) {
    CAPTURE(clocks.a.period, clocks.b.period, clocks.b.phase, clocks.a.drift);
    TwoClocks<Vcdc_v1> dut(muster_seed(), clocks.a, clocks.b);
    dut->a_rst_ni = dut->b_rst_ni = 0;
    dut->a_rx_valid_i = dut->b_tx_credit_i = 0;
    // How many edges after the one that takes it; -1: not yet taken, not yet come.
    int flit = -1, credit = -1, flit_took = -1, credit_took = -1;
    for (int i = 0; credit_took < 0 && i < 5000; ++i) {
      dut.edge(
          [&](bool a, bool b) {
            if (b && flit >= 0 && flit_took < 0 && dut->b_tx_valid_o) flit_took = flit;
            if (a && credit >= 0 && credit_took < 0 && dut->a_rx_credit_o) credit_took = credit;
            if (b && flit >= 0) ++flit;
            if (a && credit >= 0) ++credit;
            if (a && dut->a_rx_valid_i) flit = 0;
            if (b && dut->b_tx_credit_i) credit = 0;
          },
          [&](bool a, bool b) {
            if (i == 40) dut->a_rst_ni = dut->b_rst_ni = 1;
            if (a) dut->a_rx_valid_i = dut->a_up_o && dut->b_up_o && flit < 0;
            if (b) dut->b_tx_credit_i = flit_took >= 0 && credit < 0;
          });
    }
    REQUIRE(flit_took == 4);
    REQUIRE(credit_took == 4);
  }
}

TEST_CASE("a link between two clocks says what it drops", "[rtl][wrap]") {
  TwoClocks<Vcdc_v1> dut(muster_seed(), {1000, 0, 0}, {7000, 0, 0});
  dut->a_rst_ni = dut->b_rst_ni = 0;
  dut->a_rx_valid_i = dut->b_tx_credit_i = 0;
  const auto edges = [&](int count) {
    for (int i = 0; i < count; ++i) dut.edge([](bool, bool) {}, [](bool, bool) {});
  };
  edges(20);
  dut->a_rst_ni = dut->b_rst_ni = 1;
  SECTION("when the queue is full") {
    while (!dut->a_up_o || !dut->b_up_o) edges(1);
    dut->a_rx_valid_i = 1;
    edges(8);  // as many as fit
    REQUIRE(!dut->a_overflow_o);
    edges(8);  // faster than the other side takes them
    REQUIRE(dut->a_overflow_o);
  }
  SECTION("when the other side is not there yet") {
    dut->a_rx_valid_i = 1;
    edges(1);
    REQUIRE(dut->a_overflow_o);
  }
}
