// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/system.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

/// The options of barrier trees and of groups that change.
std::unique_ptr<run::SystemOptions> make_options();

/// Throws InputError for membership requests that cannot be, and for changes of groups that are not
/// set up in band.
void check_spec(const run::RunSpec& spec, const run::SchemeFactory& scheme);

/// Groups change while they live: their members, or links.
bool changes(const run::RunSpec& spec);
/// Or they move between register and memory.
bool changes_or_moves(const run::RunSpec& spec);
/// One of `changes.groups` of a result (docs/reference/runs.md).
void describe_change(core::Record& r, const run::RunSpec& spec, const ChangeResult& result);

}  // namespace muster::btin
