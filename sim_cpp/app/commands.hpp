// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <span>

#include "app/context.hpp"

namespace muster::app {

/// Fields as the options of a subcommand.
class CliOptions {
 public:
  explicit CliOptions(CLI::App& command) : command_(command) {}

  /// `fields`, of this owner, "system 'nic'", outlive the parse. Throws InternalError that names
  /// both owners if the name of an option is taken.
  void add(run::Fields& fields, const std::string& owner);

 private:
  void take(const std::string& name, const std::string& owner);

  CLI::App& command_;
  std::map<std::string, std::string> owners_;  ///< by option
};

/// The same for the command's own, which no other option has the name of; `only`: these of them.
void add_fields(CLI::App& command, run::Fields& fields, std::span<const std::string> only = {});

/// Each adds one subcommand to `app`, whose callback does the work: it throws InputError for bad
/// input and sets `status` to 1 if a check failed. `context` outlives the parse.
void add_topo(CLI::App& app, const Context& context);
void add_run(CLI::App& app, const Context& context, int& status);
void add_compare(CLI::App& app, const Context& context, int& status);
void add_saturate(CLI::App& app, const Context& context, int& status);
void add_mpi(CLI::App& app, const Context& context, int& status);
void add_schema(CLI::App& app);

/// All of them, and those of systems.
void add_commands(CLI::App& app, const Context& context, int& status);

/// --engine, whose value is `engine`.
void describe_engine(run::Fields& f, std::string& engine, const fabric::EngineRegistry& engines);

/// --seed and --json.
void add_common(CLI::App& command, CommonOptions& options);

/// A message as it is shown: what was typed may hold line ends and other controls, which become
/// numbers. `lines`: a report has lines of its own.
std::string printable(const std::string& text, bool lines);

/// What a command line of these words, the program's name first, gets.
Context context_of(const std::vector<std::string>& words, const fabric::EngineRegistry& engines);

/// The words of `context`; exit status as of run_main().
int run_command_line(const Context& context);

/// The whole command line; returns the exit status: 0 all checks passed, 1 a check failed, 2 bad
/// input, with one line on standard error.
int run_main(int argc, const char* const* argv, const fabric::EngineRegistry& engines);

}  // namespace muster::app
