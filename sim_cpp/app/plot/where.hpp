// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/plot/fields.hpp"

namespace muster::app::plot {

/// The rows of which each condition is true: a field, one of = != < <= > >=, and a value. A row
/// without the field meets != alone. Throws InputError for what is no condition, for an order of
/// what is no number, and if no row is left.
std::vector<Fields> rows_where(std::vector<Fields> rows,
                               const std::vector<std::string>& conditions);

}  // namespace muster::app::plot
