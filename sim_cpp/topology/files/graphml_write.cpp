// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <string>

#include "muster/topology/group_spec.hpp"
#include "topology/files/file_formats.hpp"

namespace muster::topology {

namespace {

namespace attr = graphml_names;

class GraphmlWriter {
 public:
  explicit GraphmlWriter(const Graph& graph) : graph_(graph) {
    pugi::xml_node declaration = document_.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    root_ = document_.append_child("graphml");
    root_.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
    declare_keys();
    drawing_ = root_.append_child("graph");
    drawing_.append_attribute("edgedefault") = "undirected";
  }

  std::string text() {
    write_fields();
    write_vertices();
    write_edges();
    std::ostringstream out;
    document_.save(out, "  ");
    return out.str();
  }

 private:
  static constexpr const char* kVertexName = "vertex-name";  // the key; kName is the network's

  static std::string group_key(const std::string& name) { return "group-" + name; }

  void declare(const char* domain, const std::string& id, const std::string& name,
               const char* type) {
    pugi::xml_node key = root_.append_child("key");
    key.append_attribute("id") = id.c_str();
    key.append_attribute("for") = domain;
    key.append_attribute("attr.name") = name.c_str();
    key.append_attribute("attr.type") = type;
  }

  void declare_keys() {
    for (const char* name : {attr::kName, attr::kGenerator, attr::kNote})
      declare("graph", name, name, "string");
    for (const char* name : {attr::kMeshWidth, attr::kMeshHeight})
      declare("graph", name, name, "int");
    for (const auto& [name, members] : graph_.groups)
      declare("graph", group_key(name), std::string(attr::kGroup) + name, "string");
    declare("node", attr::kKind, attr::kKind, "string");
    if (!graph_.switch_names.empty() || !graph_.node_names.empty())
      declare("node", kVertexName, attr::kName, "string");
    for (const char* name : {attr::kPorts, attr::kLevel}) declare("node", name, name, "int");
    for (const char* name : {attr::kSourcePort, attr::kTargetPort, attr::kLatency})
      declare("edge", name, name, "int");
  }

  static void put(pugi::xml_node at, const std::string& key, const std::string& value) {
    pugi::xml_node data = at.append_child("data");
    data.append_attribute("key") = key.c_str();
    data.text() = value.c_str();
  }
  static void put(pugi::xml_node at, const std::string& key, std::uint32_t value) {
    put(at, key, fmt::format("{}", value));
  }

  void write_fields() {
    if (!graph_.name.empty()) put(drawing_, attr::kName, graph_.name);
    if (!graph_.generator.empty()) put(drawing_, attr::kGenerator, graph_.generator);
    if (!graph_.note.empty()) put(drawing_, attr::kNote, graph_.note);
    if (graph_.mesh) {
      put(drawing_, attr::kMeshWidth, graph_.mesh->width);
      put(drawing_, attr::kMeshHeight, graph_.mesh->height);
    }
    for (const auto& [name, members] : graph_.groups) {
      std::vector<std::string> names;
      for (const NodeId node : members) names.push_back(node_name(graph_, node));
      put(drawing_, group_key(name), fmt::format("{}", fmt::join(names, " ")));
    }
  }

  pugi::xml_node add_vertex(const std::string& id, const char* kind,
                            const std::map<std::uint32_t, std::string>& names,
                            std::uint32_t number) {
    pugi::xml_node vertex = drawing_.append_child("node");
    vertex.append_attribute("id") = id.c_str();
    put(vertex, attr::kKind, kind);
    if (const auto name = names.find(number); name != names.end())
      put(vertex, kVertexName, name->second);
    return vertex;
  }

  void write_vertices() {
    for (SwitchId s = 0; s < graph_.switches(); ++s) {
      const pugi::xml_node vertex =
          add_vertex(fmt::format("s{}", s), attr::kSwitch, graph_.switch_names, s);
      put(vertex, attr::kPorts, graph_.ports(s));
      if (!graph_.levels.empty()) put(vertex, attr::kLevel, graph_.levels[s]);
    }
    for (NodeId n = 0; n < graph_.nodes(); ++n)
      add_vertex(fmt::format("n{}", n), attr::kNode, graph_.node_names, n);
  }

  pugi::xml_node add_edge(PortRef at, const std::string& to, std::uint32_t latency) {
    pugi::xml_node edge = drawing_.append_child("edge");
    edge.append_attribute("source") = fmt::format("s{}", at.sw).c_str();
    edge.append_attribute("target") = to.c_str();
    put(edge, attr::kSourcePort, at.port);
    if (latency != 1) put(edge, attr::kLatency, latency);
    return edge;
  }

  void write_edges() {
    for (const Link& link : graph_.links())
      put(add_edge(link.a, fmt::format("s{}", link.b.sw), link.latency), attr::kTargetPort,
          link.b.port);
    for (NodeId n = 0; n < graph_.nodes(); ++n)
      add_edge(graph_.node(n).at, fmt::format("n{}", n), graph_.node(n).latency);
  }

  const Graph& graph_;
  pugi::xml_document document_;
  pugi::xml_node root_, drawing_;
};

}  // namespace

std::string to_graphml(const Graph& graph) { return GraphmlWriter(graph).text(); }

}  // namespace muster::topology
