// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/resolve.hpp"

namespace muster::run {

/// Loads routes and barrier registers through the register ports, runs the given number of barriers
/// of all groups at once with data flowing all the time, stops the data, empties the network and
/// lets all observers draw their conclusions.
///
/// What goes wrong while it runs (a checker, lockstep, a hang) ends the run and stands in
/// RunResult::end and violations, with the results of all barriers completed until then.
RunResult run_barriers(const ResolvedRun& run);

/// The same for a specification that nothing else needs resolved. Throws as resolve().
RunResult run_barriers(const RunSpec& spec);

}  // namespace muster::run
