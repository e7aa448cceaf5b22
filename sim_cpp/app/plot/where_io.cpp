// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <optional>
#include <set>

#include "app/plot/where.hpp"
#include "muster/core/error.hpp"

namespace muster::app::plot {

namespace {

constexpr std::size_t kShownValues = 12;

std::optional<double> number_of_text(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return {};
  return number;
}

/// "load<=0.5"
class Condition {
 public:
  explicit Condition(const std::string& text) : typed_(fmt::format("--where '{}'", text)) {
    const auto at = text.find_first_of("=!<>");
    if (at != std::string::npos)
      sign_ = text.substr(at, text.compare(at + 1, 1, "=") == 0 && text[at] != '=' ? 2 : 1);
    if (sign_.empty() || sign_ == "!")
      throw InputError(typed_ + ": write a field and its value as seed=1, seed!=1 or 'seed<=3'");
    name_ = text.substr(0, at);
    value_ = text.substr(at + sign_.size());
    number_ = number_of_text(value_);
    if (is_order() && !number_)
      throw InputError(
          fmt::format("{}: '{}' is not a number; {} compares numbers", typed_, value_, sign_));
  }

  const std::string& name() const { return name_; }
  const std::string& typed() const { return typed_; }

  bool is_met(const Fields& row, const std::string& field) const {
    const auto found = row.find(field);
    if (found == row.end()) return sign_ == "!=";
    if (!is_order()) return is_value(row, field, found->second) == (sign_ == "=");
    const Json& value = found->second;
    if (!value.is_number() && !value.is_boolean())
      throw InputError(fmt::format("{}: a row has the text '{}'; {} compares numbers", typed_,
                                   word_of_field(row, field), sign_));
    const double x = value.is_boolean() ? value.get<bool>() : value.get<double>();
    return sign_ == "<"    ? x < *number_
           : sign_ == "<=" ? x <= *number_
           : sign_ == ">"  ? x > *number_
                           : x >= *number_;
  }

 private:
  bool is_order() const { return sign_[0] == '<' || sign_[0] == '>'; }

  /// 0.10 is 0.1.
  bool is_value(const Fields& row, const std::string& field, const Json& value) const {
    if (!value.is_number()) return word_of_field(row, field) == value_;
    return number_ && value.get<double>() == *number_;
  }

  std::string typed_, name_, sign_, value_;
  std::optional<double> number_;  ///< the value, if it is one
};

}  // namespace

std::vector<Fields> rows_where(std::vector<Fields> rows,
                               const std::vector<std::string>& conditions) {
  for (const std::string& text : conditions) {
    const Condition condition(text);
    const std::string field = whole_name(rows, "--where", condition.name());
    std::vector<Fields> kept;
    std::set<std::string> others;
    for (Fields& row : rows) {
      if (others.size() < kShownValues) others.insert(word_of_field(row, field));
      if (condition.is_met(row, field)) kept.push_back(std::move(row));
    }
    if (kept.empty())
      throw InputError(fmt::format("{}: no row has such a value; existing values are {}",
                                   condition.typed(), fmt::join(others, ", ")));
    rows = std::move(kept);
  }
  return rows;
}

}  // namespace muster::app::plot
