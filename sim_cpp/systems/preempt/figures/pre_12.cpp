// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_figures.hpp"
#include "systems/preempt/figures/preempt_rounds.hpp"

namespace muster::preempt {

std::unique_ptr<figures::Figure> make_pre_12() {
  return std::make_unique<PreemptRounds>(
      "pre-12", "rounds on networks of switches with three links",
      std::vector<PreemptRounds::Part>{{{.size = 300}, {20, 60, 120, 180, 240, 300}},
                                       {{.size = 1200}, {60, 240, 480, 720, 960, 1200}}},
      std::vector<PreemptBaseline>{{"tree [4]", "tree"},
                                   {"units [4], 1 message", "tree-units", 1},
                                   {"units [4], 2 messages", "tree-units", 2},
                                   {"units [4], 4 messages", "tree-units", 4},
                                   {"star", "star"}});
}

}  // namespace muster::preempt
