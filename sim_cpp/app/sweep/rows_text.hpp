// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/sweep/plan.hpp"

namespace muster::app::sweep {

/// A file of rows that has been read.
struct RowsText {
  Json header;
  std::vector<Json> rows;  ///< in the order of the file
  bool cut = false;        ///< the last line was not whole; it is left out
};

/// Throws InputError "FILE: line N: reason" for what is no file of muster sweep.
RowsText read_rows(const std::string& file);

/// The file's text, rows sorted by their numbers.
std::string sorted_text(const Json& header, std::vector<Json> rows);

/// One line, with its end.
std::string line_of(const Json& json);

}  // namespace muster::app::sweep
