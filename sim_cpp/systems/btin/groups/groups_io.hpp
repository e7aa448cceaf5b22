// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "muster/run/dead_links.hpp"
#include "muster/run/json.hpp"
#include "muster/run/spec.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

// Fields of a run's JSON, docs/reference/runs.md.

/// `changes`: membership requests, changes of groups, dead links.
run::Json changes_to_json(const run::RunSpec& spec, const Result& result,
                          std::span<const run::LinkResult> links);
/// `setup`: times of groups set up in band.
run::Json setup_to_json(const run::RunSpec& spec, const Result& result);
/// `spill`. REQUIRES: `result.spill` is set.
run::Json spill_to_json(const run::RunSpec& spec, const Result& result);

}  // namespace muster::btin
