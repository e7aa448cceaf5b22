// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "workload/run_spec.hpp"

namespace muster::workload {

/// The field `changes` of a run's JSON, docs/runs.md.
nlohmann::ordered_json changes_to_json(const RunSpec& spec, const RunResult& result);

}  // namespace muster::workload
