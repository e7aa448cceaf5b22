// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "core/record.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/scheme.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

/// The records of all barriers that all members have left, `barriers` of each group at most, by
/// group and number, and what RunResult says of their latencies.
void add_barrier_records(RunResult& result, const Members& members, const BarrierTraffic& messages);

/// The bound of each of the barriers, where a checker has one.
void add_bounds(RunResult& result, const checkers::CheckerList& checkers);

// Fields of results. A record is described by a function of its own, a field that several records
// have by `add_`.
void add_network(core::Record& r, const topology::Graph& graph);  ///< name and size
void add_config(core::Record& r, const fabric::SwitchConfig& config);
core::Rule add_cycles(core::Record& r, const char* key, std::uint64_t cycles,
                      const char* sentence = "");  ///< up to kMostCycles
void add_end(core::Record& r, End end);
void add_saturated(core::Record& r, const RunResult& result);
void add_stopped(core::Record& r, const RunResult& result);
void add_texts(core::Record& r, const char* key, const std::vector<std::string>& texts,
               const char* sentence = "");  ///< none of them empty

/// `parameters` of a result: all that decides what happens in the run.
void describe_parameters(core::Record& r, const RunSpec& spec, const RunResult& result);
/// Field `links` of the parameters, of links that retry.
void describe_links(core::Record& r, const RunSpec& spec);
void describe(core::Record& r, const CongestionSpec& s);
void describe(core::Record& r, const TrafficStatistics& d);
void describe(core::Record& r, const Waits& w);
/// Field `faults` of a result, and what deaths add to it.
void describe(core::Record& r, const LinkCounts& counts);
void describe_casualties(core::Record& r, const RunSpec& spec, const Casualties& casualties);

/// The schema of `muster-run-1`, from a sample run; see core::Record.
Json run_schema(const RunSpec& spec, const RunResult& result);

/// The schema of `muster-profile-1`, the file of a profile.
Json profile_schema();

/// The lines of the summary about them.
std::string faults_text(const LinkCounts& counts);

/// Of `changes.links` of a result: a link that was declared dead.
void describe(core::Record& r, const LinkResult& l);
/// Their lines of a run's summary.
std::string links_text(std::span<const LinkResult> links);

/// Their lines of the summary; empty if nothing has died.
std::string casualties_text(const RunSpec& spec, const Casualties& casualties);

// Of runs with several seeds, `muster run --repeat`.

/// Fewer runs than `asked` were begun, or one of them was ended.
bool were_interrupted(const std::vector<RunResult>& results, std::uint32_t asked);

/// Fields of runs and their summary, schema `muster-repeat-1`; the parameters are those of the
/// first run. `asked`: runs, of which there are fewer after an interruption. REQUIRES: a result.
void describe_repeated(core::Record& r, const RunSpec& first, const std::vector<RunResult>& results,
                       std::uint32_t asked, const Provenance& origin);

/// The schema of that, from a sample run.
Json repeated_schema(const RunSpec& spec, const RunResult& result);

/// Runs and their summary for people.
std::string repeated_to_text(const RunSpec& first, const std::vector<RunResult>& results,
                             std::uint32_t asked);

}  // namespace muster::run
