// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "muster/core/outputs.hpp"
#include "muster/core/provenance.hpp"
#include "muster/core/ranks.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/topology/graph.hpp"

namespace muster::app {

/// What every subcommand gets.
struct Context {
  std::string program = "muster";  ///< in messages
  const fabric::EngineRegistry* engines = nullptr;
  std::shared_ptr<core::Ranks> ranks;  ///< of this program, if mpirun has started several
  /// Another rank writes results and messages.
  bool follows() const { return ranks && ranks->rank() != 0; }
  std::vector<std::string> words;  ///< the command as typed, word by word
  Provenance origin;               ///< command as typed, version; the seed is the subcommand's
};

/// Options that every subcommand has.
struct CommonOptions {
  std::uint64_t seed = 1;
  std::string json;  ///< file, "-" for standard output, empty for the human summary
};

/// Ends a command: `json()` goes to the file of --json, all files of `outputs` take their places,
/// then `text()` is printed, or `json()` instead of it for "-".
void deliver(const CommonOptions& options, Outputs& outputs,
             const std::function<std::string()>& json, const std::function<std::string()>& text);

/// What this thread writes to standard output and error while the object lives: it stays here, and
/// no progress is shown.
class Captured {
 public:
  Captured();
  ~Captured();
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  std::string out, err;

 private:
  Captured* outer_;
};

/// To standard output; throws InputError if that takes no more.
void print(const std::string& text);
/// To standard error.
void complain(const std::string& text);

/// True if standard error is a terminal, and not captured: then long work shows progress there.
bool shows_progress();

/// One line on the terminal that is overwritten by the next; nothing if piped.
void show_progress(const std::string& line);
void clear_progress();

}  // namespace muster::app
