// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

/// Throws InputError for numbers out of range, what the engine does not have, routes that lose
/// packets and routes with a cycle of channel dependencies.
void check_spec(const RunSpec& spec);

/// Throws InputError for links that cannot be declared dead: the scheme does not leave them, they
/// are not there, or join what nothing else joins.
void check_dead_links(const RunSpec& spec, const SchemeFactory& scheme);

/// The option of `muster run` that asks for it, with its value: "--kill-switch 'sw3@500'".
std::string option_text(const topology::Graph& graph, const Death& death);

/// Deaths of a run. Throws InputError naming the option.
void check_deaths(const RunSpec& spec, const SchemeFactory& scheme);

}  // namespace muster::run
