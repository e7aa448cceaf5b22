// SPDX-License-Identifier: Apache-2.0
// Every output of a link between two clocks in every cycle, against cdc_reference.hpp.
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "muster/core/rng.hpp"
#include "rtl/wrap/cdc_link.hpp"
#include "rtl/wrap/cdc_reference.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::test;
using namespace muster::test::cdc;

namespace {

/// Percent of cycles in which a flit is sent to a place, one is sent without asking for a place,
/// and a credit of a class goes back; of 10000, in which a side is reset.
struct Mix {
  unsigned flits, unasked, credits, resets;
};

/// Both sides do anything that a link allows, and the sender more than that.
template <class T>
class Lockstep {
 public:
  Lockstep(std::uint64_t seed, const Clocks& clocks)
      : rng_(seed), dut_(seed, clocks.a, clocks.b), reference_(T::kSlots, T::kStages, T::kBacks) {
    dut_->a_rst_ni = dut_->b_rst_ni = 0;
    dut_->a_rx_valid_i = dut_->b_tx_credit_i = 0;
    for (int i = 0; i < 60; ++i) edge({0, 0, 0, 0}, true);
    compares_ = true;
  }

  void run(int edges, const Mix& mix) {
    for (int i = 0; i < edges; ++i) edge(mix, false);
  }

  int flits = 0, overflows = 0, ups = 0, breaks = 0;  // cycles with them, or in which they begin

 private:
  struct Side {
    int edges = 0;  // of reset that are left
    bool reset = true;
    bool up = false, broken = false;  // in the cycle before
  };

  void edge(const Mix& mix, bool power_up) {
    dut_.edge(
        [&](bool a, bool b) {
          if (compares_) compare();
          const Flit* flit = dut_->a_rx_valid_i ? &flit_ : nullptr;
          reference_.edge(a, b, a_.reset, b_.reset, flit, dut_->b_tx_credit_i);
          REQUIRE(reference_.sessions_are_apart());
        },
        [&](bool a, bool b) {
          if (compares_) compare();  // a side's outputs change with its own clock only
          if (a) {
            if (!power_up) begin_edge(a_, reference_.a(), mix);
            dut_->a_rst_ni = !a_.reset;
            sender(mix);
          }
          if (b) {
            if (!power_up) begin_edge(b_, reference_.b(), mix);
            dut_->b_rst_ni = !b_.reset;
            receiver(mix);
          }
        });
  }

  void compare() {
    REQUIRE(dut_->a_up_o == reference_.a().up());
    REQUIRE(dut_->b_up_o == reference_.b().up());
    REQUIRE(dut_->a_broken_o == reference_.a().broken());
    REQUIRE(dut_->b_broken_o == reference_.b().broken());
    REQUIRE(dut_->a_overflow_o == reference_.overflow());
    REQUIRE(dut_->a_rx_credit_o == reference_.credits());
    REQUIRE(dut_->b_tx_valid_o == reference_.valid());
    if (!reference_.valid()) return;
    ++flits;
    const Flit flit{dut_->b_tx_vc_o, dut_->b_tx_kind_o, dut_->b_tx_payload_o};
    REQUIRE((flit == reference_.flit()));
  }

  /// Whether the next edge of a side is one of reset; a broken side is left as it is for a while.
  void begin_edge(Side& side, const Session& session, const Mix& mix) {
    ups += session.up() && !side.up;
    breaks += session.broken() && !side.broken;
    side.up = session.up();
    side.broken = session.broken();
    if (side.edges == 0 && (rng_.below(10000) < mix.resets || (side.broken && chance(5))))
      side.edges = 1 + static_cast<int>(rng_.below(chance(20) ? 60 : 3));
    side.reset = side.edges > 0;
    if (side.reset) --side.edges;
  }

  void sender(const Mix& mix) {
    flit_ = {static_cast<std::uint32_t>(rng_.below(T::kChannels)),
             static_cast<std::uint32_t>(rng_.below(8)),
             static_cast<std::uint32_t>(rng_.below(65536))};
    const bool valid = chance(mix.unasked) || (reference_.room() && chance(mix.flits));
    overflows += valid && reference_.a().up() && !reference_.room();
    dut_->a_rx_valid_i = valid;
    dut_->a_rx_vc_i = flit_.vc;
    dut_->a_rx_kind_i = flit_.kind;
    dut_->a_rx_payload_i = flit_.payload;
  }

  void receiver(const Mix& mix) {
    dut_->b_tx_credit_i = 0;
    for (unsigned c = 0; c < T::kBacks; ++c) {
      if (reference_.b().up() && reference_.under_way(c) < T::kDepth && chance(mix.credits))
        dut_->b_tx_credit_i |= 1u << c;
    }
  }
  bool chance(unsigned percent) { return rng_.below(100) < percent; }

  Rng rng_;
  TwoClocks<typename T::Model> dut_;
  Reference reference_;
  Side a_, b_;
  Flit flit_;
  bool compares_ = false;
};

/// Clocks of any ratio up to 9, some of whose edges wander by up to a quarter.
std::vector<Clocks> some_clocks(Rng& rng, int count) {
  std::vector<Clocks> result;
  const auto some = [&] {
    const std::uint64_t period = 1000 + rng.below(8000);
    const bool wanders = rng.below(2) == 1;
    return ClockSpec{period, rng.below(period), wanders ? rng.below(period / 4) : 0};
  };
  for (int i = 0; i < count; ++i) result.push_back({some(), some()});
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("a link between two clocks is as its specification in every cycle",
                   "[rtl][wrap]", Narrow, Wide) {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  Rng rng(seed);
  std::vector<Clocks> all = some_clocks(rng, 6);
  all.insert(all.end(), kClocks.begin(), kClocks.end());
  int flits = 0, overflows = 0, ups = 0, breaks = 0;
  for (const Clocks& clocks : all) {
    CAPTURE(clocks.a.period, clocks.b.period, clocks.a.phase, clocks.b.phase, clocks.a.drift);
    Lockstep<TestType> link(seed, clocks);
    link.run(3000, {100, 0, 100, 0});
    link.run(3000, {30, 0, 20, 20});
    link.run(3000, {80, 2, 60, 40});
    link.run(3000, {60, 40, 60, 10});
    link.run(3000, {50, 0, 50, 150});  // again before the link is up
    flits += link.flits;
    overflows += link.overflows;
    ups += link.ups;
    breaks += link.breaks;
  }
  CHECK(flits > 10000);
  CHECK(overflows > 200);
  CHECK(ups > 100);
  CHECK(breaks > 100);
}
