// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "run/run_spec.hpp"

namespace muster::btin {

/// The field `changes` of a run's JSON, docs/runs.md.
nlohmann::ordered_json changes_to_json(const run::RunSpec& spec, const run::RunResult& result);

}  // namespace muster::btin
