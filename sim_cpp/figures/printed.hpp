// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/figures/figure.hpp"

namespace muster::figures {

/// Marks in the panels of a measured figure what its paper prints: the rows of printed.json that
/// are of this figure and have a `mark`. Throws InternalError if a row names a panel or a curve
/// that is not there.
void mark_printed(const std::string& id, FigureData& data);

/// The number that a paper prints, by the id of its row of printed.json ("nic-6b"). Throws
/// InternalError if no row has the id, or if it has no number.
double printed_value(const std::string& row);

}  // namespace muster::figures
