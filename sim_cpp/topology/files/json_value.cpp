// SPDX-License-Identifier: Apache-2.0
#include "topology/files/json_value.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

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
      throw InputError(
          fmt::format("field {} appears twice in one object; remove one", quote(name)));
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    throw InputError(parse_reason(error) + "; fix the JSON at this position");
  }

 private:
  bool enter() {
    if (fields_.size() == depth_)
      throw InputError(fmt::format("nested too deeply for {}; is it the right file?", what_));
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

}  // namespace muster::topology
