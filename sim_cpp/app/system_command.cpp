// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli_options.hpp"
#include "app/commands.hpp"
#include "app/interruption.hpp"

namespace muster::app {

namespace {

struct Typed {
  std::unique_ptr<run::Command> command;
  std::string engine = "golden";
  CommonOptions common;
};

void run_command(Typed& typed, const Context& context, int& status) {
  std::shared_ptr<const fabric::BankFactory> engine;
  if (typed.command->has_engine()) engine = context.engines->find(typed.engine);
  Outputs outputs;
  outputs.writes("--json", typed.common.json);
  Provenance origin = context.origin;
  origin.seed = typed.common.seed;
  const Interruption interruption;
  const run::CommandReport report =
      typed.command->run({.engine = engine,
                          .outputs = outputs,
                          .json_to_stdout = typed.common.json == "-",
                          .origin = origin,
                          .progress = show_progress,
                          .interrupted = [&] { return interruption.requested(); },
                          .warn =
                              [&](const std::string& text) {
                                complain(fmt::format("{}: warning: {}\n", context.program, text));
                              }});
  deliver(typed.common, outputs, report.json, report.text);
  if (report.interrupted) {
    interruption.report("the result has the complete part");
    status = interruption.status();
  }
  if (report.violations != 0) status = 1;
}

}  // namespace

void add_system_command(CLI::App& app, std::unique_ptr<run::Command> command,
                        const Context& context, int& status) {
  auto typed = std::make_shared<Typed>();
  typed->command = std::move(command);
  const std::string name = typed->command->name();
  if (!app.get_subcommands([&](const CLI::App* other) { return other->get_name() == name; })
           .empty())
    throw InternalError(fmt::format("command '{}': the name is already in use", name));
  CLI::App* sub = app.add_subcommand(name, typed->command->about());
  CliOptions options(*sub);
  options.of(fmt::format("command '{}'", name));
  typed->command->add_options(options);
  if (typed->command->has_engine())
    sub->add_option("--engine", typed->engine, context.engines->choices())
        ->check(known_to([&context](const std::string& engine) { context.engines->find(engine); }))
        ->capture_default_str();
  add_common(*sub, typed->common);
  sub->callback([typed, &context, &status] { run_command(*typed, context, status); });
}

}  // namespace muster::app
