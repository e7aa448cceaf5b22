// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/figures/figure.hpp"

namespace muster::figures {

/// The four papers' systems on the same networks (docs/systems/comparison.md), by one profile each.
void add_systems_figures(FigureList& list);

}  // namespace muster::figures
