// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/system.hpp"

namespace muster::run {

/// Throws InternalError if the name of `added`, or of one of its schemes or profiles, is that of
/// another among systems(), or of two of its own.
void check_names(const System& added);

}  // namespace muster::run
