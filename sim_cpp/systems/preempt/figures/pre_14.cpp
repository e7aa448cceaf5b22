// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_figures.hpp"
#include "systems/preempt/figures/preempt_rounds.hpp"

namespace muster::preempt {

std::unique_ptr<figures::Figure> make_pre_14() {
  return std::make_unique<PreemptRounds>(
      "pre-14", "rounds on meshes, X-Y routing",
      std::vector<PreemptRounds::Part>{{{.mesh = true, .size = 10}, {10, 20, 40, 60, 80, 100}},
                                       {{.mesh = true, .size = 20}, {20, 80, 160, 240, 320, 400}}},
      std::vector<PreemptBaseline>{{"tree [5]", "btin"}, {"tree [4]", "tree"}, {"star", "star"}});
}

}  // namespace muster::preempt
