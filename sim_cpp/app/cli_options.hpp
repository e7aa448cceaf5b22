// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "app/commands.hpp"
#include "muster/core/error.hpp"
#include "muster/run/command.hpp"

namespace muster::app {

/// The options of systems as those of a subcommand. Throws InternalError that names both owners if
/// the name of an option is taken.
class CliOptions : public run::OptionList {
 public:
  explicit CliOptions(CLI::App& command) : command_(command) {}

  /// Those that come now are of this system or command: "system 'nic'".
  void of(const std::string& owner) { owner_ = owner; }

  void number(const std::string& name, std::uint32_t& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    take(name);
    add_number(command_, name, value, help, least, most)->capture_default_str();
  }
  void number(const std::string& name, std::uint64_t& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    take(name);
    add_number(command_, name, value, help, least, most)->capture_default_str();
  }
  void number(const std::string& name, std::optional<std::uint32_t>& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    take(name);
    add_number(command_, name, value, help, least, most);
  }
  void number(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    take(name);
    add_number(command_, name, value, help, least, most);
  }
  void real(const std::string& name, double& value, const std::string& help) override {
    take(name);
    add_real(command_, name, value, help)->capture_default_str();
  }
  void real(const std::string& name, std::optional<double>& value,
            const std::string& help) override {
    take(name);
    add_real(command_, name, value, help);
  }
  void flag(const std::string& name, bool& value, const std::string& help) override {
    take(name);
    command_.add_flag(name, value, help);
  }
  void text(const std::string& name, std::string& value, const std::string& help) override {
    take(name);
    if (!name.starts_with('-')) {
      command_.add_option(name, value, help)->required();
      return;
    }
    CLI::Option* option = add_text(command_, name, value, help);
    if (!value.empty()) option->capture_default_str();
  }
  void texts(const std::string& name, std::vector<std::string>& values,
             const std::string& help) override {
    take(name);
    command_.add_option(name, values, help);
  }
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help) override {
    take(name);
    CLI::Option* option = add_choice(command_, name, value, choices, help);
    if (!value.empty()) option->capture_default_str();
  }

 private:
  /// Options that a subcommand gets later than these.
  static constexpr const char* kLater[] = {"--seed", "--json", "--engine"};

  void take(const std::string& name) {
    const auto [at, is_new] = owners_.emplace(name, owner_);
    const bool later = std::find(std::begin(kLater), std::end(kLater), name) != std::end(kLater);
    if (is_new && !later && command_.get_option_no_throw(name) == nullptr) return;
    throw InternalError(fmt::format("{}: option {} is taken by {}", owner_, name,
                                    is_new ? "'" + command_.get_name() + "' itself" : at->second));
  }

  CLI::App& command_;
  std::string owner_;
  std::map<std::string, std::string> owners_;  ///< by option
};

}  // namespace muster::app
