// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/figures/figure.hpp"

namespace muster::nic {

/// The figures of the NIC paper (docs/systems/nic-figures.md): 6 to 8, latency over the members for
/// the algorithms and levels on one profile each; 9, the model; and, ours, what the factors of
/// hosts depend on, barriers without some of their parts, and faults.
std::unique_ptr<figures::Figure> make_nic_9();
std::unique_ptr<figures::Figure> make_nic_host();
std::unique_ptr<figures::Figure> make_nic_parts();
std::unique_ptr<figures::Figure> make_nic_faults();

void add_nic_figures(figures::FigureList& list);

}  // namespace muster::nic
