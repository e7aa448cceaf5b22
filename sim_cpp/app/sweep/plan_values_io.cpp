// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "app/sweep/plan_values.hpp"

namespace muster::app::sweep {

namespace {

constexpr double kWhole = 9007199254740992.0;  ///< above, numbers are not all whole ones

Json scalar_of(const PlanValue& value) {
  const Json& json = value.json();
  if (json.is_string() && value.name().empty())
    value.fail("an empty text; give a value, or null to leave the option out");
  if (!json.is_string() && !json.is_number() && !json.is_boolean())
    value.fail(fmt::format("{} instead of a number, a text, true or false", value.type()));
  return json;
}

/// An element of a list of values.
Json item_of(const PlanValue& value) {
  if (value.json().is_null()) return nullptr;
  if (!value.json().is_array()) return scalar_of(value);
  Json words = Json::array();
  for (const PlanValue& word : value.elements()) words.push_back(scalar_of(word));
  if (words.empty())
    value.fail("an empty list; give the values of the option, or null to leave it out");
  return words;
}

double number_of(const PlanValue& range, const char* name, double missing) {
  if (!range.has(name)) return missing;
  const PlanValue value = range.field(name);
  if (!value.json().is_number()) value.fail(fmt::format("{} instead of a number", value.type()));
  return value.json().get<double>();
}

/// 0.30000000000000004 is 0.3; a number without fraction is a whole one.
Json rounded(double number) {
  if (number == std::floor(number) && std::abs(number) < kWhole)
    return number < 0 ? Json(static_cast<std::int64_t>(number))
                      : Json(static_cast<std::uint64_t>(number));
  return std::strtod(fmt::format("{:.12g}", number).c_str(), nullptr);
}

/// How many numbers a range has up to `to`.
double count_to(const PlanValue& range, double from, double to, double step, double factor) {
  constexpr double kSlack = 1e-9;  // of a step
  if (factor == 1.0 && step != 0.0) {
    if ((to - from) / step < 0.0) range.fail("never reaches \"to\"; change the sign of \"step\"");
    return std::floor((to - from) / step + kSlack) + 1;
  }
  if (from <= 0.0 || to < from || factor <= 1.0)
    range.fail(
        "a range with \"factor\" must start above 0 and rise; change \"from\" or \"factor\"");
  return std::floor(std::log(to / from) / std::log(factor) + kSlack) + 1;
}

std::vector<Json> range_of(const PlanValue& range) {
  range.expect_object({"from", "to", "count", "step", "factor"});
  if (range.has("to") == range.has("count"))
    range.fail("a range has either \"to\" or \"count\"; give one of them");
  if (range.has("step") && range.has("factor"))
    range.fail("a range has either \"step\" or \"factor\"; remove one");
  const double from = number_of(range, "from", 1.0), factor = number_of(range, "factor", 1.0);
  const double step = number_of(range, "step", range.has("factor") ? 0.0 : 1.0);
  if (range.has("step") && step == 0.0) range.fail("\"step\" is 0; give another value");
  const double count = range.has("to")
                           ? count_to(range, from, number_of(range, "to", 0.0), step, factor)
                           : range.field("count").number();
  if (count < 1.0) range.fail("has no value; give a \"count\" of 1 or more");
  if (count > static_cast<double>(kMostRows))
    range.fail(fmt::format("has {:.0f} values, at most {}; use fewer", count, kMostRows));
  std::vector<Json> values;
  for (double i = 0; i < count; ++i)
    values.push_back(rounded(step != 0.0 ? from + i * step : from * std::pow(factor, i)));
  return values;
}

}  // namespace

std::vector<Json> values_of(const PlanValue& value) {
  if (value.json().is_object()) return range_of(value);
  if (!value.json().is_array()) return {scalar_of(value)};
  std::vector<Json> values;
  for (const PlanValue& item : value.elements()) values.push_back(item_of(item));
  if (values.empty()) value.fail("an empty list; give at least one value");
  return values;
}

Json single_value_of(const PlanValue& value) { return scalar_of(value); }

}  // namespace muster::app::sweep
