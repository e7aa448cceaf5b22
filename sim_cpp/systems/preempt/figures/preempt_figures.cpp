// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_figures.hpp"

namespace muster::preempt {

void add_preempt_figures(figures::FigureList& list) {
  list.add(make_pre_11());
  list.add(make_pre_12());
  list.add(make_pre_13());
  list.add(make_pre_14());
  list.add(make_pre_15());
  list.add(make_pre_tb());
  list.add(make_pre_units());
  list.add(make_pre_load());
}

}  // namespace muster::preempt
