// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/sweep/rows_text.hpp"

namespace muster::app::sweep {

/// The rows of several files of one plan as those of one process would be, sorted. A row that is in
/// two files is the same in both. Throws InputError that names the file if that is not so, or it is
/// of another plan or version, or, unless `mixed`, there are rows of several builds of the program.
RowsText merge_rows(const std::vector<std::string>& files, bool mixed);

}  // namespace muster::app::sweep
