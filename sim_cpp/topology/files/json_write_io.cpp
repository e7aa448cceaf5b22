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

/// With the name of a switch or node after its other fields, if it has one.
std::string named(ordered_json fields, const std::map<std::uint32_t, std::string>& names,
                  std::uint32_t id) {
  if (const auto found = names.find(id); found != names.end()) fields["name"] = found->second;
  return line(fields);
}

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
