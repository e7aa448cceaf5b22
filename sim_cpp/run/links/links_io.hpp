// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "muster/run/dead_links.hpp"
#include "muster/run/json.hpp"

namespace muster::run {

/// `changes.links` of a result: links that were declared dead.
Json links_to_json(std::span<const LinkResult> links);
/// Their lines of a run's summary.
std::string links_text(std::span<const LinkResult> links);

}  // namespace muster::run
