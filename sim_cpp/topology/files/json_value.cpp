// SPDX-License-Identifier: Apache-2.0
#include "topology/files/json_value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/text.hpp"

namespace muster::topology {
namespace {

/// "[json.exception.parse_error.101] parse error at line 3, column 7: syntax error ..." as the
/// rest of one printable line.
std::string parse_reason(const nlohmann::json::exception& error) {
  std::string reason = error.what();
  for (const std::string_view lead : {"] ", "parse error at "})
    if (const auto at = reason.find(lead); at != std::string::npos)
      reason.erase(0, at + lead.size());
  return printable(reason, 200);
}

/// A first pass for what the parser lets pass: a field that appears twice would silently hide the
/// first, and deep nesting only wastes memory. (The parser's own callback takes quadratic time.)
class Screening : public nlohmann::json_sax<nlohmann::json> {
 public:
  Screening(std::size_t depth, const std::string& what) : depth_(depth), what_(what) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    if (!fields_.back().insert(name).second)
      throw InputError("field {} appears twice in one object; remove one", quote(name));
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    throw InputError(parse_reason(error) + "; fix the JSON at this position");
  }

 private:
  bool enter() {
    if (fields_.size() == depth_)
      throw InputError("nested too deeply for {}; is it the right file?", what_);
    fields_.emplace_back();
    return true;
  }
  bool leave() {
    fields_.pop_back();
    return true;
  }

  std::size_t depth_;
  const std::string& what_;
  std::vector<std::set<std::string>> fields_;  // of the open objects; empty for arrays
};

}  // namespace

void screen_json(std::string_view content, std::size_t depth, const std::string& what) {
  Screening screening(depth, what);
  nlohmann::json::sax_parse(content.begin(), content.end(), &screening);
}

void JsonValue::fail(const std::string& reason) const {
  throw InputError(place_.empty() ? reason : fmt::format("{}: {}", place_, reason));
}

void JsonValue::expect_object(const std::vector<std::string>& known) const {
  if (!value_.is_object()) fail(fmt::format("{} instead of an object {{...}}", type()));
  for (const auto& [key, unused] : value_.items())
    if (std::ranges::find(known, key) == known.end())
      fail(fmt::format("unknown field {}; known are {}", quote(key), fmt::join(known, ", ")));
}

bool JsonValue::has(const char* key) const { return value_.contains(key); }

JsonValue JsonValue::field(const char* key) const {
  const auto found = value_.find(key);
  if (found == value_.end()) fail(fmt::format("field \"{}\" is missing; add it", key));
  return {*found, place_.empty() ? key : fmt::format("{}.{}", place_, key)};
}

std::vector<JsonValue> JsonValue::elements() const {
  if (!value_.is_array()) fail(fmt::format("{} instead of a list [...]", type()));
  std::vector<JsonValue> list;
  for (std::size_t i = 0; i < value_.size(); ++i)
    list.emplace_back(value_[i], fmt::format("{}[{}]", place_, i));
  return list;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::fields() const {
  if (!value_.is_object()) fail(fmt::format("{} instead of an object {{...}}", type()));
  std::vector<std::pair<std::string, JsonValue>> list;
  for (const auto& [name, value] : value_.items())
    list.emplace_back(name, JsonValue(value, fmt::format("{}.{}", place_, quote(name))));
  return list;
}

std::uint32_t JsonValue::number() const {
  if (!value_.is_number_unsigned())
    fail(fmt::format("{} instead of a whole number, 0 or more", type()));
  const auto number = value_.get<std::uint64_t>();
  if (number > 0xffffffffu) fail(fmt::format("{} is too large; use a smaller number", number));
  return static_cast<std::uint32_t>(number);
}

std::string JsonValue::type() const {
  return value_.is_number() ? fmt::format("number {}", value_.dump())
                            : std::string(value_.type_name());
}

std::string JsonValue::text_without(std::string_view allowed) const {
  if (!value_.is_string()) fail(fmt::format("{} instead of text in quotes", type()));
  std::string text = value_.get<std::string>();
  for (const char c : text)
    if (((c >= 0 && c < ' ') || c == 0x7f) && allowed.find(c) == std::string_view::npos)
      fail(fmt::format("{} has the control character \\u{:04x}; remove it", quote(text), c));
  return text;
}

}  // namespace muster::topology
