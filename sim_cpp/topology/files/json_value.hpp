// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace muster::topology {

/// Throws InputError for text that is not JSON, with line and column, and for what a parser lets
/// pass: a field that appears twice in an object, nesting deeper than `depth` for `what`, "a
/// network".
void screen_json(std::string_view content, std::size_t depth, const std::string& what);

/// A value in a JSON document, which outlives the object, and where it stands, such as "links[4]";
/// every access checks the type and throws InputError that begins with the place.
class JsonValue {
 public:
  JsonValue(const nlohmann::json& value, std::string place)
      : value_(value), place_(std::move(place)) {}

  const nlohmann::json& json() const { return value_; }
  const std::string& place() const { return place_; }

  [[noreturn]] void fail(const std::string& reason) const;
  void expect_object(const std::vector<std::string>& known) const;
  bool has(const char* key) const;
  JsonValue field(const char* key) const;
  std::vector<JsonValue> elements() const;
  /// Name and value of every field of an object whose names are free.
  std::vector<std::pair<std::string, JsonValue>> fields() const;
  std::uint32_t number() const;
  /// May have several lines.
  std::string text() const { return text_without("\n\t"); }
  std::string name() const { return text_without({}); }
  /// Runs what may throw InputError and puts the place in front of the message.
  template <typename Action>
  void at_place(Action action) const {
    topology::at_place(place_, action);
  }
  /// What it is instead of what it should be.
  std::string type() const;

 private:
  /// Text without control characters except for those `allowed`.
  std::string text_without(std::string_view allowed) const;

  const nlohmann::json& value_;
  std::string place_;
};

}  // namespace muster::topology
