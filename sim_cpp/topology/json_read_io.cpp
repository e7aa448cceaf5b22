// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "topology/json_io.hpp"
#include "topology/quote.hpp"
#include "topology/validate.hpp"

namespace muster::topology {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 8;  // the format needs four

/// "[json.exception.parse_error.101] parse error at line 3, column 7: syntax error ..." as the
/// rest of one printable line.
std::string parse_reason(const json::exception& error) {
  std::string reason = error.what();
  for (const std::string_view lead : {"] ", "parse error at "})
    if (const auto at = reason.find(lead); at != std::string::npos)
      reason.erase(0, at + lead.size());
  return printable(reason, 200);
}

/// A first pass for what the parser lets pass: a field that appears twice would silently hide the
/// first, and deep nesting only wastes memory. (The parser's own callback takes quadratic time.)
class Screening : public nlohmann::json_sax<json> {
 public:
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
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    throw InputError(parse_reason(error) + "; fix the JSON at this position");
  }

 private:
  bool enter() {
    if (fields_.size() == kMaxDepth)
      throw InputError("nested too deeply for a network; is it the right file?");
    fields_.emplace_back();
    return true;
  }
  bool leave() {
    fields_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> fields_;  // of the open objects; empty for arrays
};

json parse_document(std::string_view content) {
  Screening screening;
  json::sax_parse(content.begin(), content.end(), &screening);
  return json::parse(content.begin(), content.end());
}

/// A value and where it stands, such as "links[4]"; every access checks the type.
class Value {
 public:
  Value(const json& value, std::string place) : value_(value), place_(std::move(place)) {}

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

  Value field(const char* key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) fail(fmt::format("field \"{}\" is missing; add it", key));
    return {*found, place_.empty() ? key : fmt::format("{}.{}", place_, key)};
  }

  std::vector<Value> elements() const {
    if (!value_.is_array()) fail(fmt::format("{} instead of a list [...]", type()));
    std::vector<Value> list;
    for (std::size_t i = 0; i < value_.size(); ++i)
      list.emplace_back(value_[i], fmt::format("{}[{}]", place_, i));
    return list;
  }

  /// Name and value of every field of an object whose names are free.
  std::vector<std::pair<std::string, Value>> fields() const {
    if (!value_.is_object()) fail(fmt::format("{} instead of an object {{...}}", type()));
    std::vector<std::pair<std::string, Value>> list;
    for (const auto& [name, value] : value_.items())
      list.emplace_back(name, Value(value, fmt::format("{}.{}", place_, quote(name))));
    return list;
  }

  std::uint32_t number() const {
    if (!value_.is_number_unsigned())
      fail(fmt::format("{} instead of a whole number, 0 or more", type()));
    const auto number = value_.get<std::uint64_t>();
    if (number > 0xffffffffu) fail(fmt::format("{} is too large; take a smaller number", number));
    return static_cast<std::uint32_t>(number);
  }

  /// May have several lines.
  std::string text() const { return text_without("\n\t"); }
  std::string name() const { return text_without({}); }

  PortRef port() const {
    const std::vector<Value> pair = elements();
    if (pair.size() != 2) fail("a place is [switch, port]; give two numbers");
    return {pair[0].number(), pair[1].number()};
  }

  std::uint32_t latency() const { return has("latency") ? field("latency").number() : 1; }

  /// Runs what may throw InputError and puts the place in front of the message.
  template <typename Action>
  void at_place(Action action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

 private:
  /// Text without control characters but for those `allowed`.
  std::string text_without(std::string_view allowed) const {
    if (!value_.is_string()) fail(fmt::format("{} instead of text in quotes", type()));
    std::string text = value_.get<std::string>();
    for (const char c : text)
      if (((c >= 0 && c < ' ') || c == 0x7f) && allowed.find(c) == std::string_view::npos)
        fail(fmt::format("{} has the control character \\u{:04x}; remove it", quote(text), c));
    return text;
  }

  std::string type() const {
    return value_.is_number() ? fmt::format("number {}", value_.dump())
                              : std::string(value_.type_name());
  }

  const json& value_;
  std::string place_;
};

void read_elements(const Value& root, Graph& graph) {
  for (const Value& item : root.field("switches").elements()) {
    item.expect_object({"ports"});
    const std::uint32_t ports = item.field("ports").number();
    item.at_place([&] { graph.add_switch(ports); });
  }
  for (const Value& item : root.field("links").elements()) {
    item.expect_object({"a", "b", "latency"});
    const PortRef a = item.field("a").port(), b = item.field("b").port();
    const std::uint32_t latency = item.latency();
    item.at_place([&] { graph.add_link(a, b, latency); });
  }
  for (const Value& item : root.field("nodes").elements()) {
    item.expect_object({"at", "latency"});
    const PortRef at = item.field("at").port();
    const std::uint32_t latency = item.latency();
    item.at_place([&] { graph.add_node(at, latency); });
  }
}

void read_groups(const Value& groups, Graph& graph) {
  for (const auto& [name, members] : groups.fields()) {
    if (!is_group_name(name))
      members.fail(
          "this cannot name a group; start with a letter or '_', then letters, digits, '-', '_'; "
          "'all' and 'n' with a number are reserved");
    std::vector<std::string> texts;
    for (const Value& member : members.elements()) texts.push_back(member.name());
    std::vector<NodeId>& group = graph.groups[name];
    members.at_place([&] { group = parse_members(graph, texts); });
  }
}

Graph read_network(const json& document) {
  const Value root(document, "");
  if (!document.is_object()) root.fail("a network is one JSON object {...}");
  // The schema decides what the other fields mean, so it is looked at before them.
  const std::string schema = root.field("schema").name();
  if (schema != kTopologySchema)
    throw InputError(fmt::format("schema: {} is not known; this version reads \"{}\"",
                                 quote(schema), kTopologySchema));
  root.expect_object({"schema", "name", "generator", "note", "mesh", "levels", "switches", "links",
                      "nodes", "groups"});
  Graph graph;
  if (root.has("name")) graph.name = root.field("name").name();
  if (root.has("generator")) graph.generator = root.field("generator").text();
  if (root.has("note")) graph.note = root.field("note").text();
  if (root.has("mesh")) {
    const Value mesh = root.field("mesh");
    mesh.expect_object({"width", "height"});
    graph.mesh = Mesh{mesh.field("width").number(), mesh.field("height").number()};
  }
  if (root.has("levels"))
    for (const Value& level : root.field("levels").elements())
      graph.levels.push_back(level.number());
  read_elements(root, graph);
  check_network(graph);
  if (root.has("groups")) read_groups(root.field("groups"), graph);
  return graph;
}

}  // namespace

Graph parse_json(std::string_view content, const std::string& file) {
  try {
    return read_network(parse_document(content));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace muster::topology
