// SPDX-License-Identifier: Apache-2.0
// The commands of the program, run or checked in this process by their words.
#include "app/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mutex>

#include "app/context.hpp"
#include "bindings.hpp"
#include "core/ratio_estimate.hpp"
#include "core/text.hpp"
#include "unlocked.hpp"

namespace muster::python {

namespace {

std::vector<std::string> with_program(const std::vector<std::string>& words) {
  std::vector<std::string> all{"muster"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

/// (exit status, standard output, standard error). One at a time: a command takes the signals of
/// the process while it runs, and ends early with 128 and the signal's number.
nb::tuple run_command(const std::vector<std::string>& words) {
  static std::mutex one;
  app::Captured captured;
  int status = 0;
  {
    const Unlocked unlocked;
    const std::lock_guard lock(one);
    status = app::run_command_line(app::context_of(with_program(words), engines()));
  }
  return nb::make_tuple(status, captured.out, captured.err);
}

/// The command line was taken; what the command does would come next.
struct Parsed {};

/// Commands that are parsed and never run.
class Dummy {
 public:
  Dummy() : context_(app::context_of({"muster"}, engines())) {
    app::add_commands(app_, context_, status_);
  }

  /// Throws InputError if there is no command of this path.
  CLI::App& at(const std::vector<std::string>& path) {
    CLI::App* found = &app_;
    for (const std::string& word : path) {
      std::vector<std::string> known;
      for (const CLI::App* sub : found->get_subcommands([](const CLI::App*) { return true; }))
        known.push_back(sub->get_name());
      if (std::find(known.begin(), known.end(), word) == known.end())
        throw InputError(fmt::format("unknown command '{}'; known are {}", fmt::join(path, " "),
                                     fmt::join(known, ", ")));
      found = found->get_subcommand(word);
    }
    return *found;
  }

  /// What is wrong with the words that follow the path; empty if nothing is but that, with `part`,
  /// some are missing.
  std::string refusal(const std::vector<std::string>& path, std::vector<std::string> words,
                      bool part) {
    at(path).parse_complete_callback([] { throw Parsed(); });
    words.insert(words.begin(), path.begin(), path.end());
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    try {
      app_.parse(std::move(words));
    } catch (const Parsed&) {
    } catch (const CLI::RequiredError& error) {
      if (!part) return error.what();
    } catch (const CLI::ParseError& error) {
      return error.what();
    } catch (const InputError& error) {
      return shown(error).what();
    }
    return "";
  }

 private:
  app::Context context_;
  CLI::App app_;
  int status_ = 0;
};

/// {name: True of a flag, False of an option with a value}, without dashes in front; "" of a file
/// that is read.
nb::dict command_options(const std::vector<std::string>& path) {
  Dummy dummy;
  nb::dict found;
  for (const CLI::Option* option : dummy.at(path).get_options()) {
    if (option->get_positional()) found[""] = false;
    for (const std::string& name : option->get_lnames())
      if (name != "help") found[name.c_str()] = option->get_expected_min() == 0;
  }
  return found;
}

}  // namespace

void bind_commands(nb::module_& m) {
  m.def("command", &run_command, "words"_a);
  m.def("command_options", &command_options, "path"_a);
  m.def(
      "command_refusal",
      [](const std::vector<std::string>& path, std::vector<std::string> words, bool part) {
        return Dummy().refusal(path, std::move(words), part);
      },
      "path"_a, "words"_a, "part"_a);
  m.def("commit", &app::source_commit);
  m.def(
      "nearest",
      [](const std::string& name, const std::vector<std::string>& known) {
        return nearest_names(name, known);
      },
      "name"_a, "known"_a);
  m.def("student_t95", &core::student_t95, "freedom"_a);
}

}  // namespace muster::python
