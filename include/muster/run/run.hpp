// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "muster/core/error.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

/// The engine `golden`, made of the golden blocks of all systems: takes every legal configuration,
/// has no waves (asking for them is an InputError) and resets everything (random initial contents
/// cannot be seen).
std::shared_ptr<const fabric::BankFactory> make_golden_engine();

/// How long a group may be without arrival and release before that is a hang, in cycles.
struct HangLimits {
  std::uint64_t absent = 0;  ///< if a member will never arrive
  std::uint64_t stuck = 0;   ///< if all have arrived and their messages are somewhere
  std::uint64_t held = 0;    ///< of these, for links that are held
  std::uint64_t bereft = 0;  ///< of a group that has lost a member or a switch of its tree
};

/// Scheme, network or configuration do not go together.
class UnfitNetwork : public InputError {
 public:
  using InputError::InputError;
};

/// A run with everything decided that is decided before its first cycle. What follows reads it and
/// decides nothing again.
struct ResolvedRun {
  /// The scheme found, the rest empty; resolve() fills it. Throws as find_scheme().
  explicit ResolvedRun(RunSpec given) : spec(std::move(given)), found(find_scheme(spec.scheme)) {}
  ResolvedRun(const ResolvedRun&) = delete;
  ResolvedRun& operator=(const ResolvedRun&) = delete;

  RunSpec spec;                            ///< complete: nothing is left out
  FoundScheme found;                       ///< scheme and its system
  std::unique_ptr<const SchemePlan> plan;  ///< refers to `spec`
  fabric::SwitchConfig config;             ///< of all switches
  fabric::HomeNodes homes;                 ///< of all switches
  PlanTimes times;                         ///< of the plan
  HangLimits hang_limits;                  ///< of the watchdog
  checkers::Bounds bounds;                 ///< of the checkers
  std::uint64_t wait_edges = 0;  ///< of the acyclic graph of what waits for what; with checkers
};

/// Throws InputError for numbers out of range, routes that lose packets and routes with a cycle of
/// channel dependencies; UnfitNetwork for options that the scheme does not have, and if no switch
/// suffices: what it lacks, or the busiest switch with its groups and how many registers it has; or
/// if a hop takes longer than the profile says.
/// Throws InternalError if registers of the plan would wait for each other in a cycle.
std::unique_ptr<const ResolvedRun> resolve(RunSpec spec);

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
