// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/json.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

/// Field `retry` of the parameters.
run::Json retry_parameters(const RetrySpec& spec);
/// Field `retries` of a result.
run::Json retries_to_json(const RetryCounts& counts);
/// Its line of a run's summary; empty without registers that repeat.
std::string retries_text(const Result& result);

}  // namespace muster::btin
