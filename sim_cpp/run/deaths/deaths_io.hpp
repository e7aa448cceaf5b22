// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/json.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Field `links.deaths` of the parameters.
Json deaths_parameters(const RunSpec& spec);

/// What they add to field `faults` of a result.
Json casualties_json(const RunSpec& spec, const Casualties& casualties);

/// Their lines of the summary; empty if nothing has died.
std::string casualties_text(const RunSpec& spec, const Casualties& casualties);

}  // namespace muster::run
