// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "muster/core/outputs.hpp"
#include "muster/core/ranks.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/run/fields.hpp"

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
  std::string json;    ///< file, "-" for standard output, empty for the human summary
  bool quiet = false;  ///< no summary unless something failed
  run::Fields fields;  ///< of these
};

/// Ends a command: `json()` goes to the file of --json, all files of `outputs` take their places,
/// then `text()` is printed, or `json()` instead of it for "-". With --quiet there is no text
/// unless it tells what `failed`.
void deliver(const CommonOptions& options, Outputs& outputs,
             const std::function<std::string()>& json, const std::function<std::string()>& text,
             bool failed = false);
/// The same with JSON of the record that `fields` describes.
void deliver(const CommonOptions& options, Outputs& outputs,
             const std::function<void(core::Record&)>& fields,
             const std::function<std::string()>& text, bool failed = false);

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

/// Shows on a terminal how far work of several steps is, each with its time left; nothing of steps
/// that are short.
class StepProgress {
 public:
  /// Told often, as topology::Steps.
  void operator()(const char* step, const char* parts, std::uint32_t done, std::uint32_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string step_;
  Clock::time_point begin_, shown_;
};

/// Commit of the sources that the program was built from, with "-dirty" if they were changed since;
/// empty where they are no checkout.
const char* source_commit();

}  // namespace muster::app
