// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "muster/core/error.hpp"

namespace muster::topology {

/// Throws InputError for text that is not JSON, with line and column, and for what a parser lets
/// pass: a field that appears twice in an object, nesting deeper than `depth` for `what`, "a
/// network".
void screen_json(std::string_view content, std::size_t depth, const std::string& what);

/// A value in a JSON document and where it stands, such as "links[4]"; every access checks the type
/// and throws InputError that begins with the place. Json is one of nlohmann's, which outlives the
/// object.
template <class Json>
class JsonValue {
 public:
  JsonValue(const Json& value, std::string place) : value_(value), place_(std::move(place)) {}

  const Json& json() const { return value_; }
  const std::string& place() const { return place_; }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(place_.empty() ? reason : fmt::format("{}: {}", place_, reason));
  }

  void expect_object(const std::vector<std::string>& known) const {
    if (!value_.is_object()) fail(fmt::format("{} instead of an object {{...}}", type()));
    for (const auto& [key, unused] : value_.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        fail(fmt::format("unknown field {}; known are {}", quote(key), fmt::join(known, ", ")));
  }

  bool has(const char* key) const { return value_.contains(key); }

  JsonValue field(const char* key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) fail(fmt::format("field \"{}\" is missing; add it", key));
    return {*found, place_.empty() ? key : fmt::format("{}.{}", place_, key)};
  }

  std::vector<JsonValue> elements() const {
    if (!value_.is_array()) fail(fmt::format("{} instead of a list [...]", type()));
    std::vector<JsonValue> list;
    for (std::size_t i = 0; i < value_.size(); ++i)
      list.emplace_back(value_[i], fmt::format("{}[{}]", place_, i));
    return list;
  }

  /// Name and value of every field of an object whose names are free.
  std::vector<std::pair<std::string, JsonValue>> fields() const {
    if (!value_.is_object()) fail(fmt::format("{} instead of an object {{...}}", type()));
    std::vector<std::pair<std::string, JsonValue>> list;
    for (const auto& [name, value] : value_.items())
      list.emplace_back(name, JsonValue(value, fmt::format("{}.{}", place_, quote(name))));
    return list;
  }

  std::uint32_t number() const {
    if (!value_.is_number_unsigned())
      fail(fmt::format("{} instead of a whole number, 0 or more", type()));
    const auto number = value_.template get<std::uint64_t>();
    if (number > 0xffffffffu) fail(fmt::format("{} is too large; use a smaller number", number));
    return static_cast<std::uint32_t>(number);
  }

  /// May have several lines.
  std::string text() const { return text_without("\n\t"); }
  std::string name() const { return text_without({}); }

  /// Runs what may throw InputError and puts the place in front of the message.
  template <typename Action>
  void at_place(Action action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  /// What it is instead of what it should be.
  std::string type() const {
    return value_.is_number() ? fmt::format("number {}", value_.dump())
                              : std::string(value_.type_name());
  }

 private:
  /// Text without control characters except for those `allowed`.
  std::string text_without(std::string_view allowed) const {
    if (!value_.is_string()) fail(fmt::format("{} instead of text in quotes", type()));
    std::string text = value_.template get<std::string>();
    for (const char c : text)
      if (((c >= 0 && c < ' ') || c == 0x7f) && allowed.find(c) == std::string_view::npos)
        fail(fmt::format("{} has the control character \\u{:04x}; remove it", quote(text), c));
    return text;
  }

  const Json& value_;
  std::string place_;
};

}  // namespace muster::topology
