// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>

#include "muster/core/rng.hpp"

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

  Rng rng_;
  VerilatedContext context_;
  Model model_;
  Clock clocks_[2];
};

}  // namespace muster::test
