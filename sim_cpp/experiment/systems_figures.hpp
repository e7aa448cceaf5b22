// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/figure.hpp"

namespace muster::experiment {

/// The four papers' systems on the same networks (docs/systems.md), by one profile each.
void add_systems_figures(FigureList& list);

}  // namespace muster::experiment
