// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/spec.hpp"
#include "muster/run/system.hpp"

namespace muster::run {

/// The option of `muster run` that asks for it, with its value: "--kill-switch 'sw3@500'".
std::string option_text(const topology::Graph& graph, const Death& death);

/// Deaths of a run. Throws InputError naming the option.
void check_deaths(const RunSpec& spec, const SchemeFactory& scheme);

}  // namespace muster::run
