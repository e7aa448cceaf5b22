// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/spec.hpp"

namespace muster::run {

/// Throws InputError for numbers out of range, what the engine does not have, routes that lose
/// packets and routes with a cycle of channel dependencies.
void check_spec(const RunSpec& spec);

}  // namespace muster::run
