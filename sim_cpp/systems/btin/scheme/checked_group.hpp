// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/checkers/barrier_tree.hpp"
#include "systems/btin/tree/register_plan.hpp"

namespace muster::btin {

/// What the checkers must know of a planned group.
checkers::Group checked_group(const PlannedGroup& planned);

}  // namespace muster::btin
