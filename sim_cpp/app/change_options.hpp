// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_options.hpp"

namespace muster::app {

/// --join, --leave and --kill-link into the specification, whose groups and barriers are known.
/// Throws InputError naming the option.
void add_changes(const RunOptions& options, const topology::Graph& graph, run::RunSpec& spec);

}  // namespace muster::app
