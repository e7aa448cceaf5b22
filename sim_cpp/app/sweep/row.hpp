// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/sweep/child.hpp"
#include "app/sweep/runs.hpp"

namespace muster::app::sweep {

/// Words of a child's error that are others in a row: the file of a generated network.
struct Renamed {
  std::string from, to;
};

/// The row of a run that has ended. `missing` gets the fields of `keep` that its result, if there
/// is one, does not have.
Json make_row(const Run& run, const ChildOutcome& outcome, const std::vector<std::string>& keep,
              std::size_t machine, const Renamed& renamed, std::vector<std::string>& missing);

/// Throws InputError if a row of status 0 lacks a field that the plan keeps; what a run that failed
/// does not have is no mistake of the plan.
void check_kept(const Plan& plan, const Json& row, const std::vector<std::string>& missing,
                const ChildOutcome& outcome);

/// What a child said is wrong: the first line of its standard error, without the program's name.
std::string error_of(const ChildOutcome& outcome, const Renamed& renamed);

/// All numbers, texts and truth values of a result outside lists, except for its origin, its units
/// and the time it took.
Json scalars_of(const Json& result);

}  // namespace muster::app::sweep
