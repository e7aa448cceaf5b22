// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "muster/run/checker_list.hpp"
#include "muster/run/faults.hpp"
#include "muster/run/members.hpp"
#include "muster/run/result.hpp"
#include "muster/run/scheme.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

/// The records of all barriers that all members have left, `barriers` of each group at most, by
/// group and number, and what RunResult says of their latencies.
void add_barrier_records(RunResult& result, std::uint32_t barriers, const Members& members,
                         const BarrierTraffic& messages);

/// The bound of each of the barriers, where a checker has one.
void add_bounds(RunResult& result, const checkers::CheckerList& checkers);

/// A list of what `item` makes of each.
template <class Range, class Item>
Json list_of(const Range& range, const Item& item) {
  Json list = Json::array();
  for (const auto& each : range) list.push_back(item(each));
  return list;
}

/// The value, or null.
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// `config` of the parameters.
Json config_json(const fabric::SwitchConfig& config);

/// `end` of a result.
const char* end_name(End end);

/// Adds the fields of `own`, which `system` has put there, to those of `all`; an object to an
/// object.
void merge_own(const System& system, const Json& own, Json& all);

/// `parameters` of a result: all that decides what happens in the run.
Json run_parameters(const RunSpec& spec, const RunResult& result);

/// Field `links` of the parameters. REQUIRES: links that retry.
Json links_parameters(const LinkSpec& spec);

/// Field `faults` of a result.
Json faults_json(const LinkCounts& counts);

/// Its lines of the summary.
std::string faults_text(const LinkCounts& counts);

/// `changes.links` of a result: links that were declared dead.
Json links_to_json(std::span<const LinkResult> links);
/// Their lines of a run's summary.
std::string links_text(std::span<const LinkResult> links);

/// Field `links.deaths` of the parameters.
Json deaths_parameters(const RunSpec& spec);

/// What they add to field `faults` of a result.
Json casualties_json(const RunSpec& spec, const Casualties& casualties);

/// Their lines of the summary; empty if nothing has died.
std::string casualties_text(const RunSpec& spec, const Casualties& casualties);

}  // namespace muster::run
