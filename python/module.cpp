// SPDX-License-Identifier: Apache-2.0
// The module muster._core: what the Python files of muster/ call. They have the documentation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "app/commands.hpp"
#include "bindings.hpp"
#include "core/ratio_estimate.hpp"
#include "muster/run/run.hpp"
#include "muster/run/system.hpp"
#ifdef MUSTER_HAS_RTL
#include "muster/verif.hpp"
#endif

namespace muster::python {

namespace {

std::atomic<bool> ending{false};
std::atomic<unsigned> away{0};  ///< threads without the lock of the interpreter

fabric::EngineRegistry all_engines() {
  fabric::EngineRegistry registry;
  registry.add(run::make_golden_engine());
#ifdef MUSTER_HAS_RTL
  for (const auto& engine : verif::engines()) registry.add(engine);
#endif
  return registry;
}

/// One line, as the command line would show it.
std::string shown(const InputError& error) { return app::printable(error.what(), false); }

/// (exit status, standard output, standard error). One at a time: a command takes the signals of
/// the process while it runs, and ends early with 128 and the signal's number.
nb::tuple run_command(std::vector<std::string> words) {
  static std::mutex one;
  app::Captured captured;
  int status = 0;
  {
    const Unlocked unlocked;
    const std::lock_guard lock(one);
    words.insert(words.begin(), "muster");
    status = app::run_command_line(app::context_of(words, engines()));
  }
  return nb::make_tuple(status, captured.out, captured.err);
}

/// The command line was taken; what the command does would come next.
struct Parsed {};

/// Commands that are parsed and never run.
class Commands {
 public:
  Commands() : context_(app::context_of({"muster"}, engines())) {
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
        throw InputError("unknown command '{}'; known are {}", fmt::join(path, " "),
                         fmt::join(known, ", "));
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
      return shown(error);
    }
    return "";
  }

 private:
  app::Context context_;
  CLI::App app_;
  int status_ = 0;
};

/// {name: (True of a flag, False of an option with a value; what --help says)}, without dashes in
/// front; "" of a file that is read.
nb::dict command_options(const std::vector<std::string>& path) {
  Commands commands;
  nb::dict found;
  for (const CLI::Option* option : commands.at(path).get_options()) {
    if (option->get_positional()) found[""] = nb::make_tuple(false, option->get_description());
    std::string help = option->get_description();
    if (!option->get_default_str().empty()) help += fmt::format(" [{}]", option->get_default_str());
    for (const std::string& name : option->get_lnames())
      if (name != "help")
        found[name.c_str()] = nb::make_tuple(option->get_expected_min() == 0, help);
  }
  return found;
}

/// {name: what it does} of the commands below a path.
nb::dict subcommands(const std::vector<std::string>& path) {
  Commands commands;
  nb::dict found;
  for (const CLI::App* command : commands.at(path).get_subcommands(nullptr))
    found[command->get_name().c_str()] = command->get_description();
  return found;
}

/// Ends the runs under way, as a Stop does, and waits for all that is unlocked.
void end_all() {
  ending = true;
  const nb::gil_scoped_release release;
  while (away != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

// The interpreter's lock is held when they are changed.
Unlocked::Unlocked() {
  ++away;
  if (!ending) release_.emplace();
}

Unlocked::~Unlocked() {
  release_.reset();
  --away;
}

bool all_end() { return ending; }

const fabric::EngineRegistry& engines() {
  static const fabric::EngineRegistry registry = all_engines();
  return registry;
}

Provenance origin_of(std::string command) {
  Provenance origin;
  origin.command = std::move(command);
  origin.version = MUSTER_VERSION;
  return origin;
}

}  // namespace muster::python

NB_MODULE(_core, m) {
  using namespace muster;
  using namespace muster::python;
  nb::set_leak_warnings(false);  // daemons that run to the end keep what they have
  // Before there are threads.
  run::systems();
  engines();
  static nb::object input_error = nb::exception<InputError>(m, "InputError", PyExc_ValueError);
  static nb::object internal_error =
      nb::exception<InternalError>(m, "InternalError", PyExc_RuntimeError);
  input_error.attr("__doc__") = "Bad input: one line that says what, where and how to fix it.";
  internal_error.attr("__doc__") = "Internal error of Muster, described by the text.";
  // Called last first: one line, whatever was typed.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      PyErr_SetString(input_error.ptr(), shown(error).c_str());
    }
  });
  m.attr("__version__") = MUSTER_VERSION;
  m.def("engines", [] { return engines().names(); });
  m.def("end_all", &end_all);
  m.def("command", &run_command, "words"_a);
  m.def("command_options", &command_options, "path"_a);
  m.def("subcommands", &subcommands, "path"_a);
  m.def(
      "command_refusal",
      [](const std::vector<std::string>& path, std::vector<std::string> words, bool part) {
        return Commands().refusal(path, std::move(words), part);
      },
      "path"_a, "words"_a, "part"_a);
  m.def("commit", &app::source_commit);
  m.def("student_t95", &core::student_t95, "freedom"_a);
  bind_network(m);
  bind_run(m);
}
