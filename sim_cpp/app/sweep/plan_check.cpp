// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/plan_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "app/commands.hpp"
#include "app/sweep/runs.hpp"
#include "core/nearest_names.hpp"

namespace muster::app::sweep {

namespace {

/// They write files of a name, which all rows would share.
constexpr std::array kFileOptions = {"json", "out", "wave", "dot", "page", "trace"};
/// They measure or draw more than one result.
constexpr std::array kNotSwept = {"figure", "bench", "sweep", "plot", "view"};

template <class Names>
bool is_among(const std::string& name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The command line was taken; what the command does comes next.
struct Parsed {};

/// Commands of the program that are parsed and never run.
class Dummy {
 public:
  Dummy(const Plan& plan, const Context& context) : plan_(plan) {
    add_commands(app_, context, status_);
  }

  /// The command of these words, without what it does. `place` is where the plan names it.
  CLI::App& command(const std::vector<std::string>& words, const std::string& place) {
    CLI::App* found = &app_;
    for (const std::string& word : words) {
      std::vector<std::string> known;
      for (const CLI::App* sub : found->get_subcommands([](const CLI::App*) { return true; }))
        if (!is_among(sub->get_name(), kNotSwept)) known.push_back(sub->get_name());
      if (!is_among(word, known))
        fail(place, fmt::format("unknown command '{}' for a sweep; known are {}",
                                fmt::join(words, " "), fmt::join(known, ", ")));
      found = found->get_subcommand(word);
    }
    if (found->get_option_no_throw("--json") == nullptr)
      fail(place,
           fmt::format("'{}' is an incomplete command; add its subcommand", fmt::join(words, " ")));
    found->parse_complete_callback([] { throw Parsed(); });
    return *found;
  }

  /// The options have these names and values.
  void check(CLI::App& command, const std::vector<std::string>& words,
             const std::vector<Axis>& axes) {
    std::vector<std::string> start = words;
    if (command.get_option_no_throw("FILE") != nullptr) start.push_back("FILE");
    for (const Axis& axis : axes) check_name(command, axis);
    // Each value alone, so that the one that is wrong is named; then that nothing is missing.
    std::vector<std::string> all = start;
    for (const Axis& axis : axes) {
      for (const Json& value : axis.values) {
        std::vector<std::string> alone = start;
        append(alone, typed_option(axis.name, value));
        parse(alone, fmt::format("{}, value {}", axis.place, value.dump()), true);
      }
      append(all, typed_option(axis.name, axis.values.front()));
    }
    parse(all, "options", false);
  }

  [[noreturn]] void fail(const std::string& place, const std::string& reason) const {
    throw InputError(fmt::format("{}: {}: {}", plan_.file, place, reason));
  }

 private:
  void check_name(const CLI::App& command, const Axis& axis) const {
    if (is_among(axis.name, kFileOptions))
      fail(axis.place, "writes a file, and all rows would write the same one; remove it");
    const CLI::Option* option = command.get_option_no_throw("--" + axis.name);
    if (option == nullptr || axis.name == "help") {
      std::vector<std::string> known;
      for (const CLI::Option* other : command.get_options())
        for (const std::string& name : other->get_lnames())
          if (name != "help" && !is_among(name, kFileOptions)) known.push_back(name);
      fail(axis.place, fmt::format("'{}' has no such option; similar are {}", command.get_name(),
                                   fmt::join(nearest_names(axis.name, known), ", ")));
    }
    const bool is_flag = option->get_expected_min() == 0;
    for (const Json& value : axis.values)
      if (!value.is_null() && value.is_boolean() != is_flag)
        fail(axis.place, is_flag ? "is a flag; give true, false or a list of them"
                                 : "takes a value; give a number or a text");
  }

  static void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  }

  /// `part`: options that must be there may be missing.
  void parse(std::vector<std::string> words, const std::string& place, bool part) {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    try {
      app_.parse(std::move(words));
    } catch (const Parsed&) {
    } catch (const CLI::RequiredError& error) {
      if (!part) fail(place, error.what());
    } catch (const CLI::ParseError& error) {
      fail(place, error.what());
    } catch (const InputError& error) {
      fail(place, error.what());
    }
  }

  const Plan& plan_;
  CLI::App app_;
  int status_ = 0;
};

/// The options of one network as axes of a generator's command.
std::vector<Axis> generator_axes(const Plan& plan) {
  std::vector<Axis> axes;
  for (const Axis& axis : plan.axes)
    if (axis.name.starts_with("network."))
      axes.push_back({axis.name.substr(axis.name.find('.') + 1), axis.place, axis.values});
  return axes;
}

void check_generator(Dummy& dummy, const std::string& generator, const std::vector<Axis>& axes,
                     const std::string& place) {
  const std::vector<std::string> words{"topo", "gen", generator};
  dummy.check(dummy.command(words, place), words, axes);
}

}  // namespace

CommandShape check_plan(const Plan& plan, const Context& context) {
  Dummy dummy(plan, context);
  CLI::App& command = dummy.command(plan.command, "command");
  CommandShape shape{command.get_option_no_throw("FILE") != nullptr,
                     command.get_option_no_throw("--threads") != nullptr};
  std::vector<Axis> axes;
  bool has_network = !plan.generator.empty();
  for (const Axis& axis : plan.axes) {
    if (axis.name != "network") {
      if (!axis.name.starts_with("network.")) axes.push_back(axis);
      shape.has_threads = shape.has_threads && axis.name != "threads";
      continue;
    }
    has_network = true;
    for (const Json& network : axis.values) {
      if (network.is_string()) continue;
      std::vector<Axis> own;
      for (const auto& [name, value] : network.items())
        if (name != "generate") own.push_back({name, axis.place, {value}});
      check_generator(dummy, network["generate"].get<std::string>(), own, axis.place);
    }
  }
  if (shape.reads_network && !has_network)
    dummy.fail("network",
               fmt::format("is missing; '{}' reads a network: name a file or a generator",
                           fmt::join(plan.command, " ")));
  if (!shape.reads_network && has_network)
    dummy.fail("network",
               fmt::format("'{}' reads no network; remove it", fmt::join(plan.command, " ")));
  if (!plan.generator.empty())
    check_generator(dummy, plan.generator, generator_axes(plan), "network.generate");
  dummy.check(command, plan.command, axes);
  return shape;
}

}  // namespace muster::app::sweep
