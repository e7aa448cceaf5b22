// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include "Vcdc_v1.h"
#include "Vcdc_v2.h"
#include "support/test.hpp"

namespace muster::test {

/// A clock of a mean period, in picoseconds, whose edges wander by up to `drift`.
struct ClockSpec {
  std::uint64_t period, phase, drift;
};

/// A Verilated module with the clocks a_clk_i and b_clk_i. Registers start at random values.
template <class Model>
class TwoClocks {
 public:
  TwoClocks(std::uint64_t seed, const ClockSpec& a, const ClockSpec& b)
      : rng_(seed), model_((prepare(context_, seed), &context_), "dut"), clocks_{{a}, {b}} {
    model_.a_clk_i = model_.b_clk_i = 0;
    for (Clock& clock : clocks_) clock.next = clock.spec.phase + 1;
  }
  ~TwoClocks() { model_.final(); }

  Model* operator->() { return &model_; }

  /// Goes on to the next rising edge, of one clock or both. `before` sees the outputs as the edge
  /// takes them, `after` sets the inputs for the next edge; both are told of which clocks it is.
  template <class Before, class After>
  void edge(Before before, After after) {
    bool rose = false;
    while (!rose) {
      const std::uint64_t now = std::min(clocks_[0].next, clocks_[1].next);
      const bool a = clocks_[0].next == now, b = clocks_[1].next == now;
      const bool a_rises = a && !clocks_[0].high, b_rises = b && !clocks_[1].high;
      rose = a_rises || b_rises;
      model_.eval();
      if (rose) before(a_rises, b_rises);
      if (a) model_.a_clk_i = step(clocks_[0], now);
      if (b) model_.b_clk_i = step(clocks_[1], now);
      model_.eval();
      if (rose) after(a_rises, b_rises);
    }
  }

 private:
  struct Clock {
    ClockSpec spec;
    std::uint64_t next = 0;
    bool high = false;
  };

  static void prepare(VerilatedContext& context, std::uint64_t seed) {
    context.randReset(2);
    context.randSeed(static_cast<int>(seed % 0x7FFFFFFF) + 1);
  }
  bool step(Clock& clock, std::uint64_t now) {
    const std::uint64_t wander = clock.spec.drift == 0 ? 0 : rng_.below(2 * clock.spec.drift + 1);
    clock.next = now + clock.spec.period / 2 - clock.spec.drift + wander;
    clock.high = !clock.high;
    return clock.high;
  }

  Random rng_;
  VerilatedContext context_;
  Model model_;
  Clock clocks_[2];
};

}  // namespace muster::test

namespace muster::test::cdc {

/// A Verilated muster_link_cdc: its channels, classes of credits, places of a queue and of the
/// crossing, and flip-flops of a synchronizer.
template <class M, unsigned V, unsigned B, unsigned D, unsigned L, unsigned S>
struct Link {
  using Model = M;
  static constexpr unsigned kChannels = V, kBacks = B, kDepth = D, kSlots = L, kStages = S;
};
using Narrow = Link<Vcdc_v1, 1, 1, 4, 8, 2>;
using Wide = Link<Vcdc_v2, 2, 3, 5, 16, 3>;

struct Clocks {
  ClockSpec a, b;
};
inline const std::vector<Clocks> kClocks = {
    {{1000, 0, 0}, {1000, 0, 0}},      // the same edges
    {{1000, 0, 0}, {1000, 250, 0}},    // another phase
    {{1000, 0, 0}, {7000, 100, 0}},    // 1:7
    {{7000, 0, 0}, {1000, 300, 0}},    // 7:1
    {{1000, 0, 0}, {1002, 0, 0}},      // one overtakes the other
    {{3000, 7, 400}, {5000, 0, 900}},  // both wander
    {{1000, 0, 450}, {1000, 0, 450}},
};

}  // namespace muster::test::cdc
