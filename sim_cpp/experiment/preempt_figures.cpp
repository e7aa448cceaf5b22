// SPDX-License-Identifier: Apache-2.0
#include "experiment/preempt_figures.hpp"

namespace muster::experiment {

void add_preempt_figures(FigureList& list) { list.add(make_pre_11()); }

}  // namespace muster::experiment
