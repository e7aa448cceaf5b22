// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "Vcdc_v1.h"
#include "Vcdc_v2.h"
#include "rtl/wrap/two_clocks.hpp"

namespace muster::test::cdc {

/// A Verilated link_cdc: its channels, classes of credits, places of a queue and of the crossing,
/// and flip-flops of a synchronizer.
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
