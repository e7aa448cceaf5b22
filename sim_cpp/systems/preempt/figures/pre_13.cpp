// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_congestion.hpp"
#include "systems/preempt/figures/preempt_figures.hpp"

namespace muster::preempt {

std::unique_ptr<figures::Figure> make_pre_13() {
  return std::make_unique<PreemptCongestion>("pre-13", "congestion", PreemptSystem{.size = 300},
                                             std::vector<std::uint32_t>{60, 255},
                                             std::vector<PreemptBaseline>{{"bsr-1", "bsr-1"},
                                                                          {"bsr-2", "bsr-2"},
                                                                          {"bsr-3", "bsr-3"},
                                                                          {"tree [4]", "tree"},
                                                                          {"btin", "btin"}});
}

}  // namespace muster::preempt
