// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/core/provenance.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// A run and what came out of it as JSON, schema `muster-run-1`; docs/reference/runs.md lists the
/// fields. Of two runs with equal command and version all fields but `seconds` and
/// `switch_cycles_per_second` are equal. Ends with a newline.
std::string run_to_json(const RunSpec& spec, const RunResult& result, const Provenance& origin);

/// The line that a report to people begins with: the switches of a run, and how they compare to
/// those that runs of other schemes get if no configuration is named. Ends with a newline.
std::string switches_to_text(const RunSpec& spec, const fabric::SwitchConfig& config);

/// A run and what came out of it for people, without the single barriers if there are many. Ends
/// with a newline.
std::string run_to_text(const RunSpec& spec, const RunResult& result);

}  // namespace muster::run
