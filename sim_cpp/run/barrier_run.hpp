// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/run_spec.hpp"

namespace muster::run {

/// Plans the trees, loads routes and barrier registers through the register ports, runs the given
/// number of barriers of all groups at once with data flowing all the time, stops the data, empties
/// the network and lets all observers draw their conclusions.
///
/// Throws InputError for a specification that cannot be run. What goes wrong while it runs (a
/// checker, lockstep, a hang) ends the run and stands in RunResult::violations, with the results
/// of all barriers completed until then.
RunResult run_barriers(RunSpec& spec);

}  // namespace muster::run
