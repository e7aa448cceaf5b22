// SPDX-License-Identifier: Apache-2.0
#include "app/cli_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "muster/core/error.hpp"

namespace muster::app {
namespace {

/// How help shows the value of an option.
std::string type_name(const run::Field& field) {
  using Kind = run::Field::Kind;
  if (field.kind == Kind::kNumber) return "UINT";
  if (field.kind == Kind::kReal) return "FLOAT";
  if (field.kind == Kind::kChoice) return fmt::format("TEXT:{{{}}}", fmt::join(field.choices, ","));
  return "TEXT";
}

std::string check_real(std::string& typed) {
  double number = 0.0;
  if (CLI::detail::lexical_cast(typed, number)) return {};
  return fmt::format("'{}' is not a number", typed);
}

void add_field(CLI::App& command, run::Field& field) {
  using Words = std::vector<std::string>;
  if (field.kind == run::Field::Kind::kFlag) {
    command.add_flag_callback(
        field.option, [&field] { field.take(""); }, field.help);
    return;
  }
  CLI::Option* const option =
      field.repeated
          ? command.add_option_function<Words>(
                field.option,
                [&field](const Words& words) {
                  for (const std::string& word : words) field.take(word);
                },
                field.help)
          : command.add_option_function<std::string>(
                field.option, [&field](const std::string& word) { field.take(word); }, field.help);
  option->type_name(type_name(field))->default_str(field.fallback());
  if (field.kind == run::Field::Kind::kReal) option->check(CLI::Validator(check_real, ""));
  if (!field.option.starts_with('-')) option->required();
}

}  // namespace

void add_fields(CLI::App& command, run::Fields& fields, std::span<const std::string> only) {
  for (run::Field& field : fields)
    if (!field.option.empty() &&
        (only.empty() || std::ranges::find(only, field.option) != only.end()))
      add_field(command, field);
}

void CliOptions::add(run::Fields& fields, const std::string& owner) {
  for (const run::Field& field : fields)
    if (!field.option.empty()) take(field.option, owner);
  add_fields(command_, fields);
}

void CliOptions::take(const std::string& name, const std::string& owner) {
  // Options that a subcommand gets later than these.
  constexpr const char* kLater[] = {"--seed", "--json", "--engine"};
  const auto [at, is_new] = owners_.emplace(name, owner);
  const bool later = std::find(std::begin(kLater), std::end(kLater), name) != std::end(kLater);
  if (is_new && !later && command_.get_option_no_throw(name) == nullptr) return;
  throw InternalError(fmt::format("{}: option {} is taken by {}", owner, name,
                                  is_new ? "'" + command_.get_name() + "' itself" : at->second));
}

}  // namespace muster::app
