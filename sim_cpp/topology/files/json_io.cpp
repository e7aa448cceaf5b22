// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "muster/topology/group_spec.hpp"
#include "topology/files/file_formats.hpp"
#include "topology/files/json_value.hpp"

namespace muster::topology {
namespace {

using nlohmann::json;
using Value = JsonValue;

constexpr std::size_t kMaxDepth = 8;  // the format needs four

PortRef port_of(const Value& place) {
  const std::vector<Value> pair = place.elements();
  if (pair.size() != 2) place.fail("a place is [switch, port]; give two numbers");
  return {pair[0].number(), pair[1].number()};
}

std::uint32_t latency_of(const Value& item) {
  return item.has("latency") ? item.field("latency").number() : 1;
}

/// The name that an element may have; without one it gets no entry.
template <typename Id>
void read_name(const Value& item, Id id, std::map<Id, std::string>& names) {
  if (!item.has("name")) return;
  std::string name = kept_name(item.field("name").name());
  if (!name.empty()) names.emplace(id, std::move(name));
}

void read_elements(const Value& root, Graph& graph) {
  for (const Value& item : root.field("switches").elements()) {
    item.expect_object({"ports", "name"});
    const std::uint32_t ports = item.field("ports").number();
    item.at_place([&] { graph.add_switch(ports); });
    read_name(item, graph.switches() - 1, graph.switch_names);
  }
  for (const Value& item : root.field("links").elements()) {
    item.expect_object({"a", "b", "latency"});
    const PortRef a = port_of(item.field("a")), b = port_of(item.field("b"));
    const std::uint32_t latency = latency_of(item);
    item.at_place([&] { graph.add_link(a, b, latency); });
  }
  for (const Value& item : root.field("nodes").elements()) {
    item.expect_object({"at", "latency", "name"});
    const PortRef at = port_of(item.field("at"));
    const std::uint32_t latency = latency_of(item);
    item.at_place([&] { graph.add_node(at, latency); });
    read_name(item, graph.nodes() - 1, graph.node_names);
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
    throw InputError("schema: {} is not known; this version reads \"{}\"", quote(schema),
                     kTopologySchema);
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

using nlohmann::ordered_json;

template <typename Json>
std::string line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "name": [ ... ] with one element a line.
std::string list_text(const char* name, const std::vector<std::string>& elements) {
  return fmt::format("  \"{}\": [\n    {}\n  ]", name, fmt::join(elements, ",\n    "));
}

ordered_json place(PortRef at) { return ordered_json::array({at.sw, at.port}); }

/// With the name of a switch or node after its other fields, if it has one.
std::string named(ordered_json fields, const std::map<std::uint32_t, std::string>& names,
                  std::uint32_t id) {
  if (const auto found = names.find(id); found != names.end()) fields["name"] = found->second;
  return line(fields);
}

}  // namespace

Graph parse_json(std::string_view content, const std::string& file) {
  return at_place(file, [&] {
    screen_json(content, kMaxDepth, "a network");
    return read_network(json::parse(content.begin(), content.end()));
  });
}

std::string to_json(const Graph& graph) {
  std::vector<std::string> fields{fmt::format("  \"schema\": \"{}\"", kTopologySchema)};
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty())
      fields.push_back(fmt::format("  \"{}\": {}", name, line(ordered_json(value))));
  };
  text("name", graph.name);
  text("generator", graph.generator);
  text("note", graph.note);
  if (graph.mesh)
    fields.push_back("  \"mesh\": " + line(ordered_json{{"width", graph.mesh->width},
                                                        {"height", graph.mesh->height}}));
  if (!graph.levels.empty()) fields.push_back("  \"levels\": " + line(ordered_json(graph.levels)));
  std::vector<std::string> switches, links, nodes, groups;
  for (SwitchId s = 0; s < graph.switches(); ++s)
    switches.push_back(named({{"ports", graph.ports(s)}}, graph.switch_names, s));
  for (const Link& link : graph.links())
    links.push_back(
        line(ordered_json{{"a", place(link.a)}, {"b", place(link.b)}, {"latency", link.latency}}));
  for (NodeId n = 0; n < graph.nodes(); ++n)
    nodes.push_back(named({{"at", place(graph.node(n).at)}, {"latency", graph.node(n).latency}},
                          graph.node_names, n));
  for (const auto& [name, members] : graph.groups) {
    ordered_json list = ordered_json::array();
    for (const NodeId node : members) list.push_back(node_name(graph, node));
    groups.push_back(fmt::format("{}: {}", line(ordered_json(name)), line(list)));
  }
  fields.push_back(list_text("switches", switches));
  fields.push_back(links.empty() ? "  \"links\": []" : list_text("links", links));
  fields.push_back(list_text("nodes", nodes));
  if (!groups.empty())
    fields.push_back(fmt::format("  \"groups\": {{\n    {}\n  }}", fmt::join(groups, ",\n    ")));
  return fmt::format("{{\n{}\n}}\n", fmt::join(fields, ",\n"));
}

}  // namespace muster::topology
