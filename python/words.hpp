// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "muster/core/error.hpp"

namespace muster::python {

/// The engines of this module: golden, and those of verif where it was built with them.
const fabric::EngineRegistry& engines();

/// What a command gets, with what it would be on a command line.
app::Context context_of(std::string command);

/// Parses words as the command line does. Throws InputError, the line without the program's name.
void parse_words(CLI::App& command, std::vector<std::string> words);

/// An option that is there as a keyword, and what `--help` says of it.
struct Keyword {
  std::string name;  ///< "packet_length"
  std::string help;
  bool flag = false;  ///< True or False
};
/// Those of a command but `left_out`, names without dashes in front.
std::vector<Keyword> keywords_of(const CLI::App& command, const std::vector<std::string>& left_out);

/// Throws InputError if a word names an option that is not among `known`, as a keyword of
/// `function`, is no flag and has no value, or the other way round.
void check_keywords(const std::vector<std::string>& words, const std::vector<Keyword>& known,
                    const std::string& function);

/// One line, as the command line would show it.
InputError shown(const InputError& error);

}  // namespace muster::python
