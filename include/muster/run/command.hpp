// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "muster/core/outputs.hpp"
#include "muster/core/provenance.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/run/option_list.hpp"

namespace muster::run {

/// What a command works with.
struct CommandContext {
  /// Of --engine; nullptr if the command has no engine.
  std::shared_ptr<const fabric::BankFactory> engine;
  Outputs& outputs;                                  ///< takes the files that it writes
  bool json_to_stdout;                               ///< standard output is taken
  Provenance origin;                                 ///< seed included
  std::function<void(const std::string&)> progress;  ///< may be absent
  std::function<bool()> interrupted;             ///< true: end with what is complete; may be absent
  std::function<void(const std::string&)> warn;  ///< one line; may be absent
};

/// What comes out of a command: called for what the user asked for.
struct CommandReport {
  std::function<std::string()> json;  ///< ends with a newline
  std::function<std::string()> text;  ///< for people; ends with a newline
  std::uint64_t violations = 0;       ///< not 0: exit status 1
  bool interrupted = false;  ///< ended before all was done; the result holds what is complete
};

/// A subcommand of a system's own, for what is no run of barriers on a network of switches. One
/// object serves one parse.
class Command {
 public:
  virtual ~Command() = default;
  virtual std::string name() const = 0;   ///< as typed
  virtual std::string about() const = 0;  ///< one line
  /// It simulates, so the user chooses an engine.
  virtual bool has_engine() const { return false; }
  /// Adds its own; `--seed`, `--json` and `--engine` are there.
  virtual void add_options(OptionList& options) = 0;
  /// Throws InputError for options that cannot be run.
  virtual CommandReport run(const CommandContext& context) = 0;
};

}  // namespace muster::run
