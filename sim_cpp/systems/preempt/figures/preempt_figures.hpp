// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/figures/figure.hpp"

namespace muster::preempt {

/// The figures of the paper of docs/systems/bsr-tree.md; each is in the file of its name.
std::unique_ptr<figures::Figure> make_pre_11();
std::unique_ptr<figures::Figure> make_pre_12();
std::unique_ptr<figures::Figure> make_pre_13();
std::unique_ptr<figures::Figure> make_pre_14();
std::unique_ptr<figures::Figure> make_pre_15();
/// Our own: the first and later rounds over T_b and the gap.
std::unique_ptr<figures::Figure> make_pre_tb();
/// Our own: baseline [4] with units in the switches, over the size of the group.
std::unique_ptr<figures::Figure> make_pre_units();
/// Our own: over the load of data.
std::unique_ptr<figures::Figure> make_pre_load();

void add_preempt_figures(figures::FigureList& list);

}  // namespace muster::preempt
