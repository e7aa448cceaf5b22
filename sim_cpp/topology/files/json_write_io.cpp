// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "muster/topology/group_spec.hpp"
#include "topology/files/json_io.hpp"

namespace muster::topology {

namespace {

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

}  // namespace

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
    switches.push_back(line(ordered_json{{"ports", graph.ports(s)}}));
  for (const Link& link : graph.links())
    links.push_back(
        line(ordered_json{{"a", place(link.a)}, {"b", place(link.b)}, {"latency", link.latency}}));
  for (const Node& node : graph.node_list())
    nodes.push_back(line(ordered_json{{"at", place(node.at)}, {"latency", node.latency}}));
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
