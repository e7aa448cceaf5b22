// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "muster/topology/group_spec.hpp"
#include "topology/files/graphml.hpp"
#include "topology/files/graphml_file.hpp"
#include "topology/files/graphml_names.hpp"
#include "topology/files/quote.hpp"
#include "topology/generate/assemble.hpp"
#include "topology/validate.hpp"

namespace muster::topology {

namespace {

namespace attr = graphml_names;

/// One end of an edge.
struct GraphmlEnd {
  std::uint32_t vertex = 0;             // place in the list of vertices
  std::optional<std::uint32_t> port{};  // if the file tells it
};

class GraphmlReader {
 public:
  explicit GraphmlReader(std::string_view content) : file_(content) {}

  Graph read() {
    for (const pugi::xml_node at : file_.graph().children()) {
      const std::string_view name = at.name();
      if (name == "node") add_vertex(at);
      if (name == "hyperedge")
        file_.fail(at, "a hyperedge is not a link; a link joins two switches");
    }
    number_vertices();
    for (const pugi::xml_node at : file_.graph().children("edge")) add_edge(at);
    Graph graph = ports_told_ ? with_ports() : without_ports();
    read_fields(graph);
    check_network(graph);
    read_groups(graph);
    return graph;
  }

 private:
  struct Vertex {
    pugi::xml_node at;
    std::string name;             // its identifier in quotes, for messages
    std::optional<bool> is_node;  // none if the file does not say
    std::uint32_t id = 0;         // SwitchId or NodeId
    std::optional<std::uint32_t> ports, level;
    std::uint32_t edges = 0;
  };
  struct FoundEdge {
    pugi::xml_node at;
    GraphmlEnd a, b;  // a node's is b
    std::uint32_t latency = 1;
  };

  void add_vertex(pugi::xml_node at) {
    const std::string id = file_.attribute(at, "id");
    if (at.child("graph")) file_.fail(at, "a graph inside a vertex is not a network; remove it");
    if (!places_.emplace(id, vertices_.size()).second)
      file_.fail(at, fmt::format("vertex {} is defined twice; rename one", quote(id)));
    Vertex vertex{at,
                  quote(id),
                  std::nullopt,
                  0,
                  file_.number(at, attr::kPorts, 1, kMaxPorts),
                  file_.number(at, attr::kLevel, 0, ~0u)};
    if (const auto kind = file_.data(at, attr::kKind)) {
      if (*kind != attr::kSwitch && *kind != attr::kNode)
        file_.fail(at, fmt::format("{}: {} is not known; write switch or node", attr::kKind,
                                   quote(*kind)));
      vertex.is_node = *kind == attr::kNode;
    }
    vertices_.push_back(std::move(vertex));
  }

  /// Switches and nodes are numbered in the order in which they stand there.
  void number_vertices() {
    const auto known = [](const Vertex& vertex) { return vertex.is_node.has_value(); };
    switches_alone_ = std::none_of(vertices_.begin(), vertices_.end(), known);
    for (Vertex& vertex : vertices_) {
      if (!vertex.is_node && !switches_alone_)
        file_.fail(vertex.at,
                   fmt::format("vertex {} has no {}, but others do; write switch or node",
                               vertex.name, attr::kKind));
      auto& list = vertex.is_node.value_or(false) ? nodes_ : switches_;
      vertex.id = static_cast<std::uint32_t>(list.size());
      list.push_back(&vertex);
    }
  }

  GraphmlEnd edge_end(pugi::xml_node at, const char* which, const char* port) {
    const std::string id = file_.attribute(at, which);
    const auto place = places_.find(id);
    if (place == places_.end())
      file_.fail(at,
                 fmt::format("vertex {} does not exist; add it or correct the edge", quote(id)));
    const auto vertex = static_cast<std::uint32_t>(place->second);
    ++vertices_[vertex].edges;
    return {vertex, file_.number(at, port, 0, kMaxPorts - 1)};
  }

  bool is_node(const GraphmlEnd& end) const {
    return vertices_[end.vertex].is_node.value_or(false);
  }
  std::uint32_t id(const GraphmlEnd& end) const { return vertices_[end.vertex].id; }

  void add_edge(pugi::xml_node at) {
    if (at.attribute("directed").as_bool())
      file_.fail(at, "the edge is directed, but links have both directions; remove the attribute");
    FoundEdge edge{at, edge_end(at, "source", attr::kSourcePort),
                   edge_end(at, "target", attr::kTargetPort),
                   file_.number(at, attr::kLatency, 1, kMaxLatency).value_or(1)};
    if (is_node(edge.a)) std::swap(edge.a, edge.b);
    if (is_node(edge.a))
      file_.fail(at, "the edge joins two nodes; a node is connected to a switch");
    if (edge.a.vertex == edge.b.vertex)
      file_.fail(
          at, fmt::format("the edge joins {} to itself; remove it", vertices_[edge.a.vertex].name));
    if (is_node(edge.b) && vertices_[edge.b.vertex].edges > 1)
      file_.fail(at, fmt::format("node {} has a second edge; a node has one port",
                                 vertices_[edge.b.vertex].name));
    const bool told = edge.a.port && (edge.b.port || is_node(edge.b));
    if (!edges_.empty() && told != ports_told_)
      file_.fail(
          at,
          fmt::format("{} and {} are given for some edges only; give them for all switches or none",
                      attr::kSourcePort, attr::kTargetPort));
    ports_told_ = told;
    edges_.push_back(edge);
  }

  /// The network with ports as the file tells them. Nodes are added in the order of their numbers.
  Graph with_ports() const {
    std::vector<std::uint32_t> used(switches_.size(), 1);
    std::vector<const FoundEdge*> of_node(nodes_.size(), nullptr);
    for (const FoundEdge& edge : edges_) {
      used[id(edge.a)] = std::max(used[id(edge.a)], *edge.a.port + 1);
      if (is_node(edge.b))
        of_node[id(edge.b)] = &edge;
      else
        used[id(edge.b)] = std::max(used[id(edge.b)], *edge.b.port + 1);
    }
    Graph graph;
    for (const Vertex* vertex : switches_)
      file_.at_line(vertex->at,
                    [&] { graph.add_switch(vertex->ports.value_or(used[vertex->id])); });
    for (const FoundEdge& edge : edges_)
      if (!is_node(edge.b))
        file_.at_line(edge.at, [&] {
          graph.add_link({id(edge.a), *edge.a.port}, {id(edge.b), *edge.b.port}, edge.latency);
        });
    for (const Vertex* vertex : nodes_) {
      const FoundEdge* const edge = of_node[vertex->id];
      need_edge(*vertex, edge != nullptr);
      file_.at_line(edge->at, [&] { graph.add_node({id(edge->a), *edge->a.port}, edge->latency); });
    }
    return graph;
  }

  /// The same with ports given out by assemble().
  Graph without_ports() const {
    std::vector<std::uint32_t> ports;
    std::vector<Attachment> attachments(nodes_.size());
    for (const Vertex* vertex : switches_) {
      ports.push_back(vertex->ports.value_or(0));
      if (switches_alone_) attachments.push_back({vertex->id});
    }
    std::vector<Edge> links;
    for (const FoundEdge& edge : edges_)
      if (is_node(edge.b))
        attachments[id(edge.b)] = {id(edge.a), edge.latency};
      else
        links.push_back({id(edge.a), id(edge.b), edge.latency});
    for (const Vertex* vertex : nodes_) need_edge(*vertex, vertex->edges != 0);
    return assemble(ports, std::move(links), attachments);
  }

  void need_edge(const Vertex& vertex, bool there) const {
    if (!there)
      file_.fail(vertex.at,
                 fmt::format("node {} has no edge; connect it to a switch", vertex.name));
  }

  void read_fields(Graph& graph) const {
    const pugi::xml_node at = file_.graph();
    graph.name = file_.text(at, attr::kName);
    graph.generator = file_.text(at, attr::kGenerator);
    graph.note = file_.text(at, attr::kNote);
    const auto width = file_.number(at, attr::kMeshWidth, 1, kMaxSwitches);
    const auto height = file_.number(at, attr::kMeshHeight, 1, kMaxSwitches);
    if (width || height) graph.mesh = Mesh{width.value_or(1), height.value_or(1)};
    for (const Vertex* vertex : switches_) {
      if (vertex->level) graph.levels.push_back(*vertex->level);
      read_name(*vertex, graph.switch_names);
    }
    for (const Vertex* vertex : nodes_) read_name(*vertex, graph.node_names);
  }

  /// The attribute `name`, else `label`, else the identifier if it is more than a number.
  void read_name(const Vertex& vertex, std::map<std::uint32_t, std::string>& names) const {
    std::string name = file_.label(vertex.at, attr::kName);
    if (name.empty()) name = file_.label(vertex.at, attr::kLabel);
    const std::string_view id = vertex.at.attribute("id").value();
    if (name.empty() && !is_numbered(id)) name = kept_name(id);
    if (!name.empty()) names.emplace(vertex.id, std::move(name));
  }

  /// "17", "n17" or "s17", which tools make up.
  static bool is_numbered(std::string_view id) {
    if (id.starts_with('n') || id.starts_with('s')) id.remove_prefix(1);
    return id.find_first_not_of("0123456789") == std::string_view::npos;
  }

  void read_groups(Graph& graph) const {
    for (const auto& [name, members] : file_.all_data(file_.graph())) {
      if (!name.starts_with(attr::kGroup)) continue;
      const std::string group = name.substr(attr::kGroup.size());
      if (!is_group_name(group))
        file_.fail(file_.graph(), fmt::format("{} cannot name a group", quote(group)));
      std::istringstream words(members);
      std::vector<std::string> texts;
      for (std::string word; words >> word;) texts.push_back(word);
      file_.at_line(file_.graph(), [&] { graph.groups[group] = parse_members(graph, texts); });
    }
  }

  GraphmlFile file_;
  std::vector<Vertex> vertices_;
  std::map<std::string, std::size_t> places_;    // of vertices, by identifier
  std::vector<const Vertex*> switches_, nodes_;  // by number
  std::vector<FoundEdge> edges_;
  bool switches_alone_ = false;  // the file knows no nodes
  bool ports_told_ = false;      // by all edges
};

}  // namespace

Graph parse_graphml(std::string_view content, const std::string& file) {
  try {
    return GraphmlReader(content).read();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace muster::topology
