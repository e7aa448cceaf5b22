// SPDX-License-Identifier: Apache-2.0
#include "Vrelay_1.h"
#include "Vrelay_5.h"
#include "rtl/clocked.hpp"

using namespace muster;
using namespace muster::test;

namespace {

template <class M, unsigned S, unsigned V, unsigned B, unsigned W>
struct Relay {
  using Model = M;
  static constexpr unsigned kStages = S, kChannels = V, kBacks = B, kWidth = W;
};

/// What is on the wires in a cycle.
struct Wires {
  bool valid = false;
  unsigned vc = 0, kind = 0, credit = 0;
  Word payload{};
};

}  // namespace

TEMPLATE_TEST_CASE("a relay hands on flits and credits after as many cycles as it has stages",
                   "[rtl][wrap]", (Relay<Vrelay_1, 1, 1, 2, 16>), (Relay<Vrelay_5, 5, 4, 4, 80>)) {
  using T = TestType;
  const std::uint64_t seed = muster_seed();
  Random rng(seed);
  Clocked<typename T::Model> dut(seed);
  dut->rx_valid_i = 0;
  dut->tx_credit_i = 0;
  dut.reset();
  std::deque<Wires> under_way(T::kStages);  // empty after reset
  for (const unsigned rate : {0u, 30u, 100u, 5u}) {
    for (int cycle = 0; cycle < 500; ++cycle) {
      const Wires in{rng.below(100) < rate, static_cast<unsigned>(rng.below(T::kChannels)),
                     static_cast<unsigned>(rng.below(8)),
                     rng.below(100) < rate ? static_cast<unsigned>(rng.below(1 << T::kBacks)) : 0,
                     random_word(rng, T::kWidth)};
      dut->rx_valid_i = in.valid;
      dut->rx_vc_i = in.vc;
      dut->rx_kind_i = in.kind;
      put(dut->rx_payload_i, in.payload);
      dut->tx_credit_i = in.credit;
      dut.settle();
      const Wires& out = under_way.front();
      REQUIRE(dut->tx_valid_o == out.valid);
      REQUIRE(dut->rx_credit_o == out.credit);
      if (out.valid) {
        REQUIRE(dut->tx_vc_o == out.vc);
        REQUIRE(dut->tx_kind_o == out.kind);
        REQUIRE(get(dut->tx_payload_o) == out.payload);
      }
      bool quiet = true;
      for (const Wires& wires : under_way) quiet = quiet && !wires.valid && wires.credit == 0;
      REQUIRE(dut->quiescent_o == quiet);
      dut.edge();
      under_way.pop_front();
      under_way.push_back(in);
    }
  }
}
