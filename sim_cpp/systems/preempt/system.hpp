// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"
#include "muster/systems/preempt.hpp"

namespace muster::preempt {

/// Barriers that build their own tree and preempt data channels (README.md beside this file).
std::unique_ptr<run::System> make_system();

/// `changes` of a result: groups whose ways have changed and links that were declared dead
/// (docs/reference/runs.md).
run::Json changes_to_json(const run::RunSpec& spec, const run::RunResult& result, const Cost& cost);
/// Their lines of a run's summary, those of the links excepted.
std::string changes_text(const run::RunSpec& spec, const Cost& cost);

}  // namespace muster::preempt
