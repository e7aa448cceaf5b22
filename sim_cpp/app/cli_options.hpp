// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "app/commands.hpp"
#include "muster/run/option_list.hpp"

namespace muster::app {

/// The options of systems as those of a subcommand.
class CliOptions : public run::OptionList {
 public:
  explicit CliOptions(CLI::App& command) : command_(command) {}

  void number(const std::string& name, std::uint32_t& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    add_number(command_, name, value, help, least, most)->capture_default_str();
  }
  void number(const std::string& name, std::uint64_t& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    add_number(command_, name, value, help, least, most)->capture_default_str();
  }
  void number(const std::string& name, std::optional<std::uint32_t>& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    add_number(command_, name, value, help, least, most);
  }
  void number(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help,
              std::uint64_t least, std::uint64_t most) override {
    add_number(command_, name, value, help, least, most);
  }
  void real(const std::string& name, double& value, const std::string& help) override {
    add_real(command_, name, value, help)->capture_default_str();
  }
  void real(const std::string& name, std::optional<double>& value,
            const std::string& help) override {
    add_real(command_, name, value, help);
  }
  void flag(const std::string& name, bool& value, const std::string& help) override {
    command_.add_flag(name, value, help);
  }
  void text(const std::string& name, std::string& value, const std::string& help) override {
    if (!name.starts_with('-')) {
      command_.add_option(name, value, help)->required();
      return;
    }
    CLI::Option* option = add_text(command_, name, value, help);
    if (!value.empty()) option->capture_default_str();
  }
  void texts(const std::string& name, std::vector<std::string>& values,
             const std::string& help) override {
    command_.add_option(name, values, help);
  }
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help) override {
    CLI::Option* option = add_choice(command_, name, value, choices, help);
    if (!value.empty()) option->capture_default_str();
  }

 private:
  CLI::App& command_;
};

}  // namespace muster::app
