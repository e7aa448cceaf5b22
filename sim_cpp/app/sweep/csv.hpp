// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/sweep/plan.hpp"

namespace muster::app::sweep {

/// Rows as a table (RFC 4180, lines end with \n), sorted by number: row, id, seed, status, error,
/// then each field of parameters and of results that a row has, in the order in which they are
/// found; nothing of machines and times.
std::string rows_to_csv(std::vector<Json> rows);

}  // namespace muster::app::sweep
