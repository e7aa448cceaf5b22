// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pugixml.hpp>
#include <sstream>
#include <utility>

#include "muster/topology/group_spec.hpp"
#include "topology/files/file_formats.hpp"

namespace muster::topology {

namespace {

constexpr const char* kVertexName = "vertex-name";  // the key; "name" is the network's

std::string group_key(const std::string& name) { return "group-" + name; }
std::string switch_id(SwitchId s) { return fmt::format("s{}", s); }
std::string node_id(NodeId n) { return fmt::format("n{}", n); }

/// A new element in another, with its attributes.
pugi::xml_node element(pugi::xml_node in, const char* tag,
                       const std::vector<std::pair<const char*, std::string>>& attributes) {
  pugi::xml_node made = in.append_child(tag);
  for (const auto& [name, value] : attributes) made.append_attribute(name) = value.c_str();
  return made;
}

void put(pugi::xml_node at, const std::string& key, const std::string& value) {
  element(at, "data", {{"key", key}}).text() = value.c_str();
}
void put(pugi::xml_node at, const std::string& key, std::uint32_t value) {
  put(at, key, fmt::format("{}", value));
}

void declare_keys(const Graph& graph, pugi::xml_node root) {
  const auto declare = [&](const char* domain, const std::string& id, const std::string& name,
                           const char* type) {
    element(root, "key", {{"id", id}, {"for", domain}, {"attr.name", name}, {"attr.type", type}});
  };
  for (const char* name : {"name", "generator", "note"}) declare("graph", name, name, "string");
  for (const char* name : {"mesh_width", "mesh_height"}) declare("graph", name, name, "int");
  for (const auto& [name, members] : graph.groups)
    declare("graph", group_key(name), "group " + name, "string");
  declare("node", "kind", "kind", "string");
  if (!graph.switch_names.empty() || !graph.node_names.empty())
    declare("node", kVertexName, "name", "string");
  for (const char* name : {"ports", "level"}) declare("node", name, name, "int");
  for (const char* name : {"source_port", "target_port", "latency"})
    declare("edge", name, name, "int");
}

void write_fields(const Graph& graph, pugi::xml_node out) {
  if (!graph.name.empty()) put(out, "name", graph.name);
  if (!graph.generator.empty()) put(out, "generator", graph.generator);
  if (!graph.note.empty()) put(out, "note", graph.note);
  if (graph.mesh) {
    put(out, "mesh_width", graph.mesh->width);
    put(out, "mesh_height", graph.mesh->height);
  }
  for (const auto& [name, members] : graph.groups) {
    std::vector<std::string> names;
    for (const NodeId node : members) names.push_back(node_name(graph, node));
    put(out, group_key(name), fmt::format("{}", fmt::join(names, " ")));
  }
}

void write_vertices(const Graph& graph, pugi::xml_node out) {
  const auto vertex = [&](const std::string& id, const char* kind, const auto& names,
                          std::uint32_t number) {
    const pugi::xml_node made = element(out, "node", {{"id", id}});
    put(made, "kind", kind);
    if (const auto name = names.find(number); name != names.end())
      put(made, kVertexName, name->second);
    return made;
  };
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const pugi::xml_node made = vertex(switch_id(s), "switch", graph.switch_names, s);
    put(made, "ports", graph.ports(s));
    if (!graph.levels.empty()) put(made, "level", graph.levels[s]);
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) vertex(node_id(n), "node", graph.node_names, n);
}

void write_edges(const Graph& graph, pugi::xml_node out) {
  const auto edge = [&](PortRef at, const std::string& to, std::uint32_t latency) {
    const pugi::xml_node made =
        element(out, "edge", {{"source", switch_id(at.sw)}, {"target", to}});
    put(made, "source_port", at.port);
    if (latency != 1) put(made, "latency", latency);
    return made;
  };
  for (const Link& link : graph.links())
    put(edge(link.a, switch_id(link.b.sw), link.latency), "target_port", link.b.port);
  for (NodeId n = 0; n < graph.nodes(); ++n)
    edge(graph.node(n).at, node_id(n), graph.node(n).latency);
}

}  // namespace

std::string to_graphml(const Graph& graph) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  const pugi::xml_node root =
      element(document, "graphml", {{"xmlns", "http://graphml.graphdrawing.org/xmlns"}});
  declare_keys(graph, root);
  const pugi::xml_node out = element(root, "graph", {{"edgedefault", "undirected"}});
  write_fields(graph, out);
  write_vertices(graph, out);
  write_edges(graph, out);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace muster::topology
