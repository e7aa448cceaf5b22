// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "muster/core/ranks.hpp"

namespace muster::app {

/// The processes that `mpirun` has started with this one; nullptr if it is alone. Throws InputError
/// if there are several and libmuster_mpi, which knows MPI, is not beside the program.
std::shared_ptr<core::Ranks> process_ranks();

/// Does `work`, and throws in all ranks what it throws in the first in which it does: all begin a
/// run or none. Without ranks it is `work` alone.
void together(core::Ranks* ranks, const std::function<void()>& work);

}  // namespace muster::app
