// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "muster/core/error.hpp"
#include "muster/core/outputs.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/run/fields.hpp"

namespace muster::run {

/// A whole number from `least` to `most`, in decimal digits. Throws InputError, "WHAT: ...", where
/// `what` is an option, and the value typed if `text` is only a part of it.
inline std::uint64_t number(const std::string& text, const std::string& what,
                            std::uint64_t least = 0,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    throw InputError("{}: '{}' is not a whole number from {} to {}", what, text, least, most);
  return value;
}

/// The same for a number of 32 bits.
inline std::uint32_t number32(const std::string& text, const std::string& what,
                              std::uint32_t least = 0,
                              std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) {
  return static_cast<std::uint32_t>(number(text, what, least, most));
}

/// "WHAT@N" into WHAT and what stands behind.
inline std::pair<std::string, std::string> cut_at(const std::string& text,
                                                  const std::string& option) {
  const auto at = text.rfind('@');
  if (at == std::string::npos)
    throw InputError("{} '{}': needs '@' and a number at its end", option, text);
  return {text.substr(0, at), text.substr(at + 1)};
}

/// "WHAT@N" into its parts; N is at most `most`.
inline std::pair<std::string, std::uint64_t> split_at(
    const std::string& text, const std::string& option,
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const auto [what, value] = cut_at(text, option);
  return {what, number(value, fmt::format("{} '{}'", option, text), 0, most)};
}

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
  virtual void add_options(Fields& options) = 0;
  /// Adds the JSON Schema of its JSON, by its name.
  virtual void add_schemas(nlohmann::ordered_json& /*all*/) const {}
  /// Throws InputError for options that cannot be run.
  virtual CommandReport run(const CommandContext& context) = 0;
};

}  // namespace muster::run
