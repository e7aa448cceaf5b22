// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "app/context.hpp"

namespace muster::app {

/// Each adds one subcommand to `app`, whose callback does the work: it throws InputError for bad
/// input and sets `status` to 1 if a check failed. `context` outlives the parse.
void add_topo(CLI::App& app, const Context& context);
void add_tree(CLI::App& app, const Context& context);
void add_run(CLI::App& app, const Context& context, int& status);
void add_esc(CLI::App& app, const Context& context, int& status);
void add_figure(CLI::App& app, const Context& context, int& status);
void add_bench(CLI::App& app, const Context& context);

/// --seed and --json.
void add_common(CLI::App& command, CommonOptions& options);

/// The whole command line; returns the exit status: 0 all checks passed, 1 a check failed, 2 bad
/// input, with one line on standard error.
int run_main(int argc, const char* const* argv, const network::EngineRegistry& engines);

}  // namespace muster::app
