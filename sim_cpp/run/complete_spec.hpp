// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/spec.hpp"

namespace muster::run {

/// The specification with what it leaves out: routes of its network, engine golden. Throws
/// InputError if there is no network or an observer is null.
RunSpec complete_spec(RunSpec spec);

}  // namespace muster::run
