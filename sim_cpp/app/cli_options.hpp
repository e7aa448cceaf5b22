// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <span>
#include <string>

#include "muster/run/fields.hpp"

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

}  // namespace muster::app
