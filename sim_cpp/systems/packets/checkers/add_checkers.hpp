// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/parts.hpp"
#include "muster/run/checker_list.hpp"

namespace muster::packets {

/// Adds the checkers of barriers by packets and of worms. Of `groups` they read
/// std::vector<checkers::PacketGroup> and std::vector<checkers::PacketTree>.
void add_checkers(checkers::CheckerList& list, const core::Parts& groups);

}  // namespace muster::packets
