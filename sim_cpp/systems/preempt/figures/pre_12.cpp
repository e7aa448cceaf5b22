// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_figures.hpp"
#include "systems/preempt/figures/preempt_rounds.hpp"

namespace muster::preempt {

/// 1200 nodes are two on each of 600 switches: 1200 switches more would be 2400 destinations, and
/// routing tables hold 2048.
std::unique_ptr<figures::Figure> make_pre_12() {
  return std::make_unique<PreemptRounds>(
      "pre-12", "rounds on networks of switches with three links",
      std::vector<PreemptRounds::Part>{
          {{.size = 300}, {20, 60, 120, 180, 240, 300}},
          {{.size = 600, .per_switch = 2}, {60, 240, 480, 720, 960, 1200}}},
      std::vector<PreemptBaseline>{{"tree [4]", "tree"}, {"star", "star"}});
}

}  // namespace muster::preempt
