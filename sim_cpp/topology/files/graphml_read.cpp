// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "core/text.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "topology/files/file_formats.hpp"

namespace muster::topology {

namespace {

constexpr std::string_view kGroup = "group ";  // and its name

/// One end of an edge.
struct GraphmlEnd {
  std::uint32_t vertex = 0;             // place in the list of vertices
  std::optional<std::uint32_t> port{};  // if the file tells it
};

/// A GraphML file: its one graph, and the data of an element by the name of the attribute that the
/// file declares for it. Errors are InputError "line N: reason".
class GraphmlReader {
 public:
  /// REQUIRES: `content` outlives the object.
  explicit GraphmlReader(std::string_view content) : content_(content) {
    // Text of spaces only is text too. Entities of a document type are not read.
    const unsigned options = pugi::parse_default | pugi::parse_ws_pcdata_single;
    const pugi::xml_parse_result result =
        document_.load_buffer(content.data(), content.size(), options, pugi::encoding_utf8);
    if (!result)
      throw InputError("line {}: {}; fix the XML at this position", line_at(result.offset),
                       result.description());
    const pugi::xml_node root = document_.document_element();
    if (std::string_view(root.name()) != "graphml")
      fail(root, "{} found where <graphml> is expected; is it the right file?", quote(root.name()));
    for (const pugi::xml_node graph : root.children("graph")) {
      if (graph_) fail(graph, "a second graph; a network is one graph");
      graph_ = graph;
    }
    if (!graph_) fail(root, "there is no <graph>; is the file complete?");
    if (attribute(graph_, "edgedefault") != "undirected")
      fail(graph_, "the graph is directed, but links have both directions; write it as undirected");
    read_keys(root);
  }

  Graph read() {
    for (const pugi::xml_node at : graph_.children()) {
      const std::string_view name = at.name();
      if (name == "node") add_vertex(at);
      if (name == "hyperedge") fail(at, "a hyperedge is not a link; a link joins two switches");
    }
    number_vertices();
    for (const pugi::xml_node at : graph_.children("edge")) add_edge(at);
    Graph graph = ports_told_ ? with_ports() : without_ports();
    read_fields(graph);
    check_network(graph);
    read_groups(graph);
    return graph;
  }

 private:
  struct Key {
    std::string domain;  // of elements that have it: graph, node, edge or all
    std::string name;
    std::optional<std::string> preset;
  };

  struct Vertex {
    pugi::xml_node at;
    std::string name;  // its identifier in quotes, for messages
    std::optional<std::uint32_t> ports, level;
    std::optional<bool> is_node = {};  // none if the file does not say
    std::uint32_t id = 0;              // SwitchId or NodeId
    std::uint32_t edges = 0;
  };
  struct FoundEdge {
    pugi::xml_node at;
    GraphmlEnd a, b;  // a node's is b
    std::uint32_t latency = 1;
  };

  /// Throws InputError with the line of an element.
  template <class... Args>
  [[noreturn]] void fail(pugi::xml_node at, fmt::format_string<Args...> text,
                         Args&&... args) const {
    fail_at(line_at(at.offset_debug()), text, std::forward<Args>(args)...);
  }

  /// Runs what may throw InputError and puts the line in front of the message.
  template <typename Action>
  void at_line(pugi::xml_node at, Action action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(at, "{}", error.what());
    }
  }

  /// An attribute in the tag, which must be there.
  std::string attribute(pugi::xml_node at, const char* name) const {
    const pugi::xml_attribute found = at.attribute(name);
    if (!found) fail(at, "<{}> has no {}; add it", printable(at.name(), 20), name);
    return found.value();
  }

  /// The value of the attribute `name`, or its default; none if there is neither.
  std::optional<std::string> data(pugi::xml_node at, const std::string& name) const {
    const auto found = value(at, name);
    return found ? std::optional<std::string>(trimmed(*found)) : std::nullopt;
  }

  /// The same as a number.
  std::optional<std::uint32_t> number(pugi::xml_node at, const std::string& name,
                                      std::uint32_t least, std::uint32_t most) const {
    const auto text = data(at, name);
    if (!text) return std::nullopt;
    const auto value = whole_number(*text);
    if (!value || *value < least || *value > most)
      fail(at, "{}: {} is not possible; write a whole number from {} to {}", name, quote(*text),
           least, most);
    return value;
  }

  /// The same as text to be shown; empty if there is none.
  std::string text(pugi::xml_node at, const std::string& name) const {
    const std::string found = value(at, name).value_or("");
    for (std::string_view rest = found; !rest.empty();) {
      const bool blank = rest[0] == '\n' || rest[0] == '\t';
      const std::size_t size = blank ? 1 : printable_character(rest);
      if (size == 0) fail(at, "{}: {} has an unprintable character; remove it", name, quote(found));
      rest.remove_prefix(size);
    }
    return found;
  }

  /// The same as kept_name() has it.
  std::string label(pugi::xml_node at, const std::string& name) const {
    return kept_name(value(at, name).value_or(""));
  }

  /// Values of all attributes that an element has itself, by name.
  std::map<std::string, std::string> all_data(pugi::xml_node at) const {
    std::map<std::string, std::string> values;
    for (const pugi::xml_node data : at.children("data"))
      if (!values.emplace(key_of(data).name, data.text().get()).second)
        fail(data, "{} is given twice; keep one", quote(key_of(data).name));
    return values;
  }

  std::size_t line_at(std::ptrdiff_t offset) const {
    const auto end =
        std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), content_.size());
    return 1 + static_cast<std::size_t>(
                   std::count(content_.begin(), content_.begin() + static_cast<long>(end), '\n'));
  }

  void read_keys(pugi::xml_node root) {
    for (const pugi::xml_node at : root.children("key")) {
      const std::string id = attribute(at, "id");
      Key key{at.attribute("for").as_string("all"), at.attribute("attr.name").as_string(id.c_str()),
              std::nullopt};
      if (const pugi::xml_node preset = at.child("default")) key.preset = preset.text().get();
      if (!keys_.emplace(id, key).second)
        fail(at, "key {} is declared twice; remove one", quote(id));
    }
  }

  const Key& key_of(pugi::xml_node data) const {
    const std::string id = attribute(data, "key");
    const auto key = keys_.find(id);
    if (key == keys_.end())
      fail(data, "key {} is not declared; add a <key> with this id", quote(id));
    return key->second;
  }

  std::optional<std::string> value(pugi::xml_node at, const std::string& name) const {
    std::optional<std::string> found;
    for (const pugi::xml_node data : at.children("data")) {
      if (key_of(data).name != name) continue;
      if (found) fail(data, "{} is given twice; keep one", quote(name));
      found = data.text().get();
    }
    if (found) return found;
    for (const auto& [id, key] : keys_)
      if (key.name == name && (key.domain == at.name() || key.domain == "all")) return key.preset;
    return std::nullopt;
  }

  void add_vertex(pugi::xml_node at) {
    const std::string id = attribute(at, "id");
    if (at.child("graph")) fail(at, "a graph inside a vertex is not a network; remove it");
    if (!places_.emplace(id, vertices_.size()).second)
      fail(at, "vertex {} is defined twice; rename one", quote(id));
    Vertex vertex{at, quote(id), number(at, "ports", 1, kMaxPorts), number(at, "level", 0, ~0u)};
    if (const auto kind = data(at, "kind")) {
      if (*kind != "switch" && *kind != "node")
        fail(at, "kind: {} is not known; write switch or node", quote(*kind));
      vertex.is_node = *kind == "node";
    }
    vertices_.push_back(std::move(vertex));
  }

  /// Switches and nodes are numbered in the order in which they stand there.
  void number_vertices() {
    const auto known = [](const Vertex& vertex) { return vertex.is_node.has_value(); };
    switches_alone_ = std::ranges::none_of(vertices_, known);
    for (Vertex& vertex : vertices_) {
      if (!vertex.is_node && !switches_alone_)
        fail(vertex.at, "vertex {} has no kind, but others do; write switch or node", vertex.name);
      auto& list = vertex.is_node.value_or(false) ? nodes_ : switches_;
      vertex.id = static_cast<std::uint32_t>(list.size());
      list.push_back(&vertex);
    }
  }

  GraphmlEnd edge_end(pugi::xml_node at, const char* which, const char* port) {
    const std::string id = attribute(at, which);
    const auto place = places_.find(id);
    if (place == places_.end())
      fail(at, "vertex {} does not exist; add it or correct the edge", quote(id));
    const auto vertex = static_cast<std::uint32_t>(place->second);
    ++vertices_[vertex].edges;
    return {vertex, number(at, port, 0, kMaxPorts - 1)};
  }

  bool is_node(const GraphmlEnd& end) const {
    return vertices_[end.vertex].is_node.value_or(false);
  }
  std::uint32_t id(const GraphmlEnd& end) const { return vertices_[end.vertex].id; }

  void add_edge(pugi::xml_node at) {
    if (at.attribute("directed").as_bool())
      fail(at, "the edge is directed, but links have both directions; remove the attribute");
    FoundEdge edge{at, edge_end(at, "source", "source_port"), edge_end(at, "target", "target_port"),
                   number(at, "latency", 1, kMaxLatency).value_or(1)};
    if (is_node(edge.a)) std::swap(edge.a, edge.b);
    if (is_node(edge.a)) fail(at, "the edge joins two nodes; a node is connected to a switch");
    if (edge.a.vertex == edge.b.vertex)
      fail(at, "the edge joins {} to itself; remove it", vertices_[edge.a.vertex].name);
    if (is_node(edge.b) && vertices_[edge.b.vertex].edges > 1)
      fail(at, "node {} has a second edge; a node has one port", vertices_[edge.b.vertex].name);
    const bool told = edge.a.port && (edge.b.port || is_node(edge.b));
    if (!edges_.empty() && told != ports_told_)
      fail(at,
           "source_port and target_port are given for some edges only; give them for all "
           "switches or none");
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
      at_line(vertex->at, [&] { graph.add_switch(vertex->ports.value_or(used[vertex->id])); });
    for (const FoundEdge& edge : edges_)
      if (!is_node(edge.b))
        at_line(edge.at, [&] {
          graph.add_link({id(edge.a), *edge.a.port}, {id(edge.b), *edge.b.port}, edge.latency);
        });
    for (const Vertex* vertex : nodes_) {
      const FoundEdge* const edge = of_node[vertex->id];
      need_edge(*vertex, edge != nullptr);
      at_line(edge->at, [&] { graph.add_node({id(edge->a), *edge->a.port}, edge->latency); });
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
    if (!there) fail(vertex.at, "node {} has no edge; connect it to a switch", vertex.name);
  }

  void read_fields(Graph& graph) const {
    const pugi::xml_node at = graph_;
    graph.name = text(at, "name");
    graph.generator = text(at, "generator");
    graph.note = text(at, "note");
    const auto width = number(at, "mesh_width", 1, kMaxSwitches);
    const auto height = number(at, "mesh_height", 1, kMaxSwitches);
    if (width || height) graph.mesh = Mesh{width.value_or(1), height.value_or(1)};
    for (const Vertex* vertex : switches_) {
      if (vertex->level) graph.levels.push_back(*vertex->level);
      read_name(*vertex, graph.switch_names);
    }
    for (const Vertex* vertex : nodes_) read_name(*vertex, graph.node_names);
  }

  /// The attribute `name`, else `label`, else the identifier if it is more than a number.
  void read_name(const Vertex& vertex, std::map<std::uint32_t, std::string>& names) const {
    std::string name = label(vertex.at, "name");
    if (name.empty()) name = label(vertex.at, "label");
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
    for (const auto& [name, members] : all_data(graph_)) {
      if (!name.starts_with(kGroup)) continue;
      const std::string group = name.substr(kGroup.size());
      if (!is_group_name(group)) fail(graph_, "{} cannot name a group", quote(group));
      std::istringstream words(members);
      std::vector<std::string> texts;
      for (std::string word; words >> word;) texts.push_back(word);
      at_line(graph_, [&] { graph.groups[group] = parse_members(graph, texts); });
    }
  }

  std::string_view content_;
  pugi::xml_document document_;
  pugi::xml_node graph_;
  std::map<std::string, Key> keys_;  // by identifier
  std::vector<Vertex> vertices_;
  std::map<std::string, std::size_t> places_;    // of vertices, by identifier
  std::vector<const Vertex*> switches_, nodes_;  // by number
  std::vector<FoundEdge> edges_;
  bool switches_alone_ = false;  // the file knows no nodes
  bool ports_told_ = false;      // by all edges
};

}  // namespace

Graph parse_graphml(std::string_view content, const std::string& file) {
  return at_place(file, [&] { return GraphmlReader(content).read(); });
}

}  // namespace muster::topology
