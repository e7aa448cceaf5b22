// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/outputs.hpp"
#include "core/provenance.hpp"
#include "fabric/engine_registry.hpp"
#include "run/option_list.hpp"

namespace muster::run {

/// What a command works with.
struct CommandContext {
  /// Of --engine; nullptr if the command has no engine.
  std::shared_ptr<const fabric::BankFactory> engine;
  Outputs& outputs;                                  ///< takes the files that it writes
  bool json_to_stdout;                               ///< standard output is taken
  Provenance origin;                                 ///< seed included
  std::function<void(const std::string&)> progress;  ///< may be absent
  std::function<void(const std::string&)> warn;      ///< one line; may be absent
};

/// What comes out of a command: called for what the user asked for.
struct CommandReport {
  std::function<std::string()> json, text;
  std::uint64_t violations = 0;  ///< not 0: exit status 1
};

/// A subcommand of a system's own, for what is no run of barriers on a network of switches. One
/// object serves one parse.
class Command {
 public:
  virtual ~Command() = default;
  virtual std::string name() const = 0;
  virtual std::string about() const = 0;  ///< one line
  /// It simulates, so the user chooses an engine.
  virtual bool has_engine() const { return false; }
  virtual void add_options(OptionList& options) = 0;
  /// Throws InputError for options that cannot be run.
  virtual CommandReport run(const CommandContext& context) = 0;
};

}  // namespace muster::run
