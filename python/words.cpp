// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/commands.hpp"
#include "core/text.hpp"
#include "muster/run/run.hpp"
#ifdef MUSTER_HAS_RTL
#include "muster/verif.hpp"
#endif

namespace muster::python {

namespace {

fabric::EngineRegistry all_engines() {
  fabric::EngineRegistry registry;
  registry.add(run::make_golden_engine());
#ifdef MUSTER_HAS_RTL
  for (const auto& engine : verif::engines()) registry.add(engine);
#endif
  return registry;
}

}  // namespace

const fabric::EngineRegistry& engines() {
  static const fabric::EngineRegistry registry = all_engines();
  return registry;
}

app::Context context_of(std::string command) {
  app::Context context;
  context.engines = &engines();
  context.origin.command = std::move(command);
  context.origin.version = MUSTER_VERSION;
  return context;
}

void parse_words(CLI::App& command, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    command.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
}

std::vector<Keyword> keywords_of(const CLI::App& command,
                                 const std::vector<std::string>& left_out) {
  std::vector<Keyword> found;
  for (const CLI::Option* option : command.get_options()) {
    for (std::string name : option->get_lnames()) {
      if (std::find(left_out.begin(), left_out.end(), name) != left_out.end()) continue;
      std::replace(name.begin(), name.end(), '-', '_');
      std::string help = option->get_description();
      if (!option->get_default_str().empty())
        help += fmt::format(" [{}]", option->get_default_str());
      found.push_back({std::move(name), std::move(help), option->get_expected_min() == 0});
    }
  }
  return found;
}

void check_keywords(const std::vector<std::string>& words, const std::vector<Keyword>& known,
                    const std::string& function) {
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    std::string name = word.substr(2, equals - 2);
    std::replace(name.begin(), name.end(), '-', '_');
    const auto keyword =
        std::find_if(known.begin(), known.end(), [&](const Keyword& k) { return k.name == name; });
    if (keyword == known.end()) {
      std::vector<std::string> names;
      for (const Keyword& k : known) names.push_back(k.name);
      throw InputError(fmt::format("{}: {} has no such option; similar are {}", name, function,
                                   fmt::join(nearest_names(name, names), ", ")));
    }
    if (keyword->flag != (equals == std::string::npos))
      throw InputError(name + (keyword->flag ? ": is a flag; give True or False"
                                             : ": takes a value; give a number or a text"));
  }
}

InputError shown(const InputError& error) {
  return InputError(app::printable(error.what(), false));
}

}  // namespace muster::python
