// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/system.hpp"

namespace muster::btin {

/// Throws InputError for membership requests that cannot be, for changes of groups that are not set
/// up in band, and for what a scheme of another system (`own` is false) does not have.
void check_spec(const run::RunSpec& spec, const run::SchemeFactory& scheme, bool own);

/// Groups change while they live: their members, or links.
bool changes(const run::RunSpec& spec);
/// Or they move between register and memory.
bool changes_or_moves(const run::RunSpec& spec);

}  // namespace muster::btin
