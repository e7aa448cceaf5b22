// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/run/spec.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

/// The lines of a run's summary about groups: set-up, spill, changes and dead links.
std::string groups_text(const run::RunSpec& spec, const Result& result);

}  // namespace muster::btin
