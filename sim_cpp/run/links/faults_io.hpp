// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/json.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Field `links` of the parameters. REQUIRES: links that retry.
Json links_parameters(const LinkSpec& spec);

/// Field `faults` of a result.
Json faults_json(const LinkCounts& counts);

/// Its lines of the summary.
std::string faults_text(const LinkCounts& counts);

}  // namespace muster::run
