// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/parts.hpp"
#include "muster/run/checker_list.hpp"

namespace muster::nic {

/// Adds the checker of barriers by NICs. Of `groups` it reads
/// std::vector<checkers::NicGroup>.
void add_checkers(checkers::CheckerList& list, const core::Parts& groups);

}  // namespace muster::nic
