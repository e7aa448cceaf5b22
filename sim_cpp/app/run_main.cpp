// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "app/commands.hpp"
#include "common/error.hpp"

namespace muster::app {

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_option("--seed", options.seed, "Seed of everything random")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--json", options.json, "Write the result as JSON to FILE, or - for stdout");
}

int run_main(int argc, const char* const* argv, const network::EngineRegistry& engines) {
  Context context;
  context.engines = &engines;
  context.origin.version = MUSTER_VERSION;
  context.origin.command = "muster";
  for (int i = 1; i < argc; ++i) context.origin.command += fmt::format(" {}", argv[i]);

  int status = 0;
  CLI::App app{"Hardware barrier synchronization: plan, run and measure it on your topology.",
               "muster"};
  app.set_version_flag("--version", fmt::format("muster {}", MUSTER_VERSION));
  app.require_subcommand(0, 1);  // none is refused below: a wrong word gets named first
  add_topo(app, context);
  add_tree(app, context);
  add_run(app, context, status);
  add_esc(app, context, status);
  add_figure(app, context, status);
  add_bench(app, context);

  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty())
      throw InputError(
          "a subcommand is required: topo, tree, run, esc, figure or bench; see muster --help");
    return status;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "muster: {}; see muster --help\n", error.what());
    return 2;
  } catch (const InputError& error) {
    clear_progress();
    fmt::print(stderr, "muster: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    clear_progress();
    fmt::print(stderr, "muster: internal error: {}\n", error.what());
    return 1;
  }
}

}  // namespace muster::app
