// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/parts.hpp"
#include "muster/run/checker_list.hpp"

namespace muster::btin {

/// Adds the checkers of barriers along trees and of spill. Of `groups` they read
/// std::vector<checkers::Group> and
/// checkers::SpillPorts.
void add_checkers(checkers::CheckerList& list, const core::Parts& groups);

}  // namespace muster::btin
