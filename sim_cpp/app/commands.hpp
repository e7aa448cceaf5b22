// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "app/context.hpp"
#include "core/text.hpp"
#include "muster/core/error.hpp"
#include "muster/run/command.hpp"

namespace muster::app {

/// Each adds one subcommand to `app`, whose callback does the work: it throws InputError for bad
/// input and sets `status` to 1 if a check failed. `context` outlives the parse.
void add_topo(CLI::App& app, const Context& context);
void add_run(CLI::App& app, const Context& context, int& status);
void add_saturate(CLI::App& app, const Context& context, int& status);

/// All of them, and those of systems.
void add_commands(CLI::App& app, const Context& context, int& status);

/// An option that is a whole number from `least` to `most`, in decimal digits.
template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value,
                        const std::string& text, std::uint64_t least = 0,
                        std::uint64_t most = std::numeric_limits<T>::max()) {
  // CLI11 would read 010 as 8 and cut what does not fit.
  const auto decimal = [name, least, most](std::string& typed) -> std::string {
    typed = fmt::format("{}", run::number(typed, name, least, most));
    return {};
  };
  return command.add_option(name, value, text)->transform(CLI::Validator(decimal, ""));
}

/// An option that is a number with a decimal point or without.
template <class T>
CLI::Option* add_real(CLI::App& command, const std::string& name, T& value,
                      const std::string& text) {
  const auto real = [](std::string& typed) -> std::string {
    double number = 0.0;
    if (CLI::detail::lexical_cast(typed, number)) return {};
    return fmt::format("'{}' is not a number", typed);
  };
  return command.add_option(name, value, text)->transform(CLI::Validator(real, ""));
}

/// An option that is one of these words.
inline CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                               const std::vector<std::string>& choices, const std::string& text) {
  const auto known = [name, choices](std::string& typed) -> std::string {
    if (std::find(choices.begin(), choices.end(), typed) == choices.end())
      throw unknown_name(name, typed, choices);
    return {};
  };
  return command.add_option(name, value, text)
      ->check(CLI::Validator(known, fmt::format("{{{}}}", fmt::join(choices, ","))));
}

/// An option that is a text or a file name, which is not empty.
inline CLI::Option* add_text(CLI::App& command, const std::string& name, std::string& value,
                             const std::string& text) {
  const auto given = [name](std::string& typed) -> std::string {
    if (typed.empty())
      throw InputError(fmt::format("{} '': is empty; give a value or omit the option", name));
    return {};
  };
  return command.add_option(name, value, text)->check(CLI::Validator(given, ""));
}

/// What is typed is a name that `find` takes; it throws InputError of another.
template <class Find>
CLI::Validator known_to(Find find) {
  return {[find](std::string& typed) -> std::string {
            find(typed);
            return {};
          },
          ""};
}

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
