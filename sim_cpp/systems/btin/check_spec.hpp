// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/system.hpp"

namespace muster::btin {

/// Throws InputError for membership requests and dead links that cannot be, and for what a scheme
/// of another system (`own` is false) does not have.
void check_spec(const run::RunSpec& spec, const run::SchemeFactory& scheme, bool own);

}  // namespace muster::btin
