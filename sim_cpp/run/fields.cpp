// SPDX-License-Identifier: Apache-2.0
#include "muster/run/fields.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/record.hpp"
#include "core/text.hpp"
#include "muster/run/command.hpp"

namespace muster::run {
namespace {

/// Throws InputError for a value outside of `least` to `most`, and for one that is not a number.
template <class T>
void check_range(const Field& field, T value, T least, T most) {
  if (!(value >= least && value <= most))
    throw InputError("{} {}: is not in {}..{}", field.option.empty() ? field.key : field.option,
                     value, least, most);
}

/// None is null.
constexpr auto as_json = [](const auto& is) -> core::Json {
  if constexpr (std::is_same_v<std::decay_t<decltype(is)>, std::monostate>)
    return nullptr;
  else
    return is;
};

/// 0, false, none.
bool is_nothing(const FieldValue& value) {
  return std::visit(
      [](const auto& is) {
        using T = std::decay_t<decltype(is)>;
        return is == T{};
      },
      value);
}

}  // namespace

Field& Field::if_given() {
  only_if_given = true;
  return *this;
}

Field& Field::needing(std::vector<std::string> options, std::string reason) {
  needs = std::move(options);
  useless = std::move(reason);
  return *this;
}

void Field::take(const std::string& word) {
  if (kind == Kind::kText && !repeated && word.empty())
    throw InputError("{} '': is empty; give a value or omit the option", option);
  if (!typed) before = value();
  set(word);
  typed = true;
}

std::string Field::fallback() const {
  const FieldValue now = value();
  if (kind == Kind::kFlag || (only_if_given && is_nothing(now))) return {};
  if (const auto* n = std::get_if<std::uint64_t>(&now)) return fmt::format("{}", *n);
  if (const auto* x = std::get_if<double>(&now)) return fmt::format("{}", *x);
  const auto* text = std::get_if<std::string>(&now);
  return text == nullptr ? "" : *text;
}

void Field::refuse(const std::string& scheme) const {
  const std::string chosen = kind == Kind::kChoice ? " " + std::get<std::string>(value()) : "";
  throw InputError("{}{}: scheme '{}' {}", option, chosen, scheme, foreign);
}

Field& Fields::add(Field::Kind kind, FieldName name, std::string help) {
  Field& field = fields_.emplace_back();
  field.kind = kind;
  field.option = name.option;
  field.key = name.key;
  field.help = std::move(help);
  field.foreign = foreign_;
  return field;
}

Field& Fields::text(FieldName name, std::string& member, std::string help) {
  Field& field = add(Field::Kind::kText, name, std::move(help));
  field.value = [&member] { return FieldValue(member); };
  field.set = [&member](const std::string& typed) { member = typed; };
  return field;
}

Field& Fields::text(FieldName name, std::function<void(const std::string&)> read,
                    const std::function<std::string()>& written, std::string help) {
  Field& field = add(Field::Kind::kText, name, std::move(help));
  field.set = std::move(read);
  field.value = [written] { return FieldValue(written()); };
  return field;
}

Field& Fields::texts(FieldName name, std::vector<std::string>& member, std::string help) {
  Field& field = add(Field::Kind::kText, name, std::move(help));
  field.repeated = true;
  field.set = [&field, &member](const std::string& typed) {
    if (!field.typed) member.clear();
    member.push_back(typed);
  };
  field.value = [&member] { return FieldValue(fmt::format("{}", fmt::join(member, ","))); };
  return field;
}

bool Fields::typed(std::string_view option) const {
  return std::ranges::any_of(fields_,
                             [&](const Field& f) { return f.typed && f.option == option; });
}

const Field* Fields::first_typed() const {
  const auto found = std::ranges::find_if(fields_, [](const Field& f) {
    return f.typed && (f.kind != Field::Kind::kChoice || f.value() != f.before);
  });
  return found == fields_.end() ? nullptr : &*found;
}

void Fields::check() const {
  for (const Field& field : fields_) {
    const FieldValue value = field.value();
    if (!field.only_if_given || !is_nothing(value)) {
      if (const auto* n = std::get_if<std::uint64_t>(&value))
        check_range(field, *n, field.least, field.most);
      if (const auto* x = std::get_if<double>(&value))
        check_range(field, *x, field.lowest, field.highest);
    }
    if (field.typed && !field.needs.empty() &&
        std::ranges::none_of(field.needs, [&](const std::string& need) { return typed(need); }))
      throw InputError("{}: {}", field.option, field.useless);
  }
}

void Fields::put(core::Record& out) const {
  using Kind = Field::Kind;
  for (const Field& field : fields_) {
    if (field.key.empty()) continue;
    const FieldValue value = field.value();
    core::Record record = field.only_if_given ? out.only(!is_nothing(value)) : out;
    const core::Rule rule =
        record.add(field.key.c_str(), field.help.c_str(), std::visit(as_json, value));
    if (field.kind == Kind::kNumber) rule.with("type", "integer").range(field.least, field.most);
    if (field.kind == Kind::kReal) rule.with("type", "number").range(field.lowest, field.highest);
    if (field.kind == Kind::kReal && field.only_if_given) rule.with("exclusiveMinimum", 0);
    if (field.kind == Kind::kText) rule.with("type", "string");
    if (field.kind == Kind::kFlag) rule.with("type", "boolean");
    if (field.kind == Kind::kChoice) rule.with("type", "string").with("enum", field.choices);
    if (!field.only_if_given && std::holds_alternative<std::monostate>(value)) rule.or_null();
  }
}

std::uint64_t Fields::number_typed(const Field& field, const std::string& typed) {
  return run::number(typed, field.option, field.least, field.most);
}

double Fields::real_typed(const Field& field, const std::string& typed) {
  const double value = std::strtod(typed.c_str(), nullptr);
  check_range(field, value, field.lowest, field.highest);
  return value;
}

std::size_t Fields::place_typed(const Field& field, const std::string& typed) {
  const auto found = std::ranges::find(field.choices, typed);
  if (found == field.choices.end()) throw unknown_name(field.option, typed, field.choices);
  return static_cast<std::size_t>(found - field.choices.begin());
}

}  // namespace muster::run
