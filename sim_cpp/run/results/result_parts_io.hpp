// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/json.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

/// `config` of the parameters.
Json config_json(const fabric::SwitchConfig& config);

/// `end` of a result.
const char* end_name(End end);

/// Adds the fields of `own`, which `system` has put there, to those of `all`; an object to an
/// object.
void merge_own(const System& system, const Json& own, Json& all);

/// `parameters` of a result: all that decides what happens in the run.
Json run_parameters(const RunSpec& spec, const RunResult& result);

}  // namespace muster::run
