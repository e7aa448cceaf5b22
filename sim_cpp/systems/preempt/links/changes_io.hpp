// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/json.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"
#include "muster/systems/preempt.hpp"

namespace muster::preempt {

/// `changes` of a result: groups whose ways have changed and links that were declared dead
/// (docs/reference/runs.md).
run::Json changes_to_json(const run::RunSpec& spec, const run::RunResult& result, const Cost& cost);
/// Their lines of a run's summary, those of the links excepted.
std::string changes_text(const run::RunSpec& spec, const Cost& cost);

}  // namespace muster::preempt
