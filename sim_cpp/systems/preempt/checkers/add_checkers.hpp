// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/parts.hpp"
#include "muster/run/checker_list.hpp"

namespace muster::preempt {

/// Adds the checkers of barriers whose messages build their own tree. Of `groups` they read
/// std::vector<checkers::BsrGroup>.
void add_checkers(checkers::CheckerList& list, const core::Parts& groups);

}  // namespace muster::preempt
