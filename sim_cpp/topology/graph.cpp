// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/text.hpp"
#include "muster/core/outputs.hpp"
#include "muster/topology/routes.hpp"
#include "topology/files/file_formats.hpp"
#include "topology/route_rules.hpp"

namespace muster::topology {

SwitchId Graph::add_switch(std::uint32_t ports) {
  if (ports < 1 || ports > kMaxPorts)
    throw InputError("switch {} has {} ports; 1 to {} are possible", switches(), ports, kMaxPorts);
  if (switches() == kMaxSwitches)
    throw InputError("more than {} switches; use a smaller network", kMaxSwitches);
  peers_.emplace_back(ports);
  return switches() - 1;
}

void Graph::claim(PortRef at) const {
  if (at.sw >= switches())
    throw InputError("switch {} does not exist; the network has {}", at.sw, switches());
  if (at.port >= ports(at.sw))
    throw InputError("switch {} has no port {}; it has {}", at.sw, at.port, ports(at.sw));
  if (peer(at.sw, at.port).kind != Peer::Kind::kOpen)
    throw InputError("port {}:{} is used twice; give every link and node its own port", at.sw,
                     at.port);
}

static void check_latency(std::uint32_t latency) {
  if (latency < 1 || latency > kMaxLatency)
    throw InputError("latency {} is out of range; 1 to {} cycles are possible", latency,
                     kMaxLatency);
}

NodeId Graph::add_node(PortRef at, std::uint32_t latency) {
  claim(at);
  check_latency(latency);
  if (nodes() == kMaxNodes)
    throw InputError("more than {} nodes; use a smaller network", kMaxNodes);
  const NodeId id = nodes();
  nodes_.push_back({at, latency});
  peers_[at.sw][at.port] = {Peer::Kind::kNode, id, 0, latency};
  return id;
}

void Graph::add_link(PortRef a, PortRef b, std::uint32_t latency) {
  claim(a);
  claim(b);
  check_latency(latency);
  if (a.sw == b.sw)
    throw InputError("link {0}:{1} - {0}:{2} joins a switch to itself", a.sw, a.port, b.port);
  links_.push_back({a, b, latency});
  peers_[a.sw][a.port] = {Peer::Kind::kSwitch, b.sw, b.port, latency};
  peers_[b.sw][b.port] = {Peer::Kind::kSwitch, a.sw, a.port, latency};
}

std::uint32_t Graph::max_ports() const {
  std::uint32_t most = 0;
  for (const auto& list : peers_) most = std::max(most, static_cast<std::uint32_t>(list.size()));
  return most;
}

bool Graph::connected() const {
  if (switches() == 0) return false;
  const std::vector<std::uint32_t> level = bfs_levels(*this, 0);
  return std::ranges::find(level, kUnreachable) == level.end();
}

std::optional<NodeId> Graph::node_at(PortRef at) const {
  if (at.sw >= switches() || at.port >= ports(at.sw)) return std::nullopt;
  const Peer& p = peer(at.sw, at.port);
  if (p.kind != Peer::Kind::kNode) return std::nullopt;
  return p.id;
}

Graph with_links(const Graph& graph, const std::function<bool(std::size_t)>& kept) {
  Graph rest;
  rest.name = graph.name;
  rest.generator = graph.generator;
  rest.note = graph.note;
  rest.groups = graph.groups;
  rest.switch_names = graph.switch_names;
  rest.node_names = graph.node_names;
  for (SwitchId s = 0; s < graph.switches(); ++s) rest.add_switch(graph.ports(s));
  for (const Node& node : graph.node_list()) rest.add_node(node.at, node.latency);
  for (std::size_t l = 0; l < graph.links().size(); ++l)
    if (const Link& link = graph.links()[l]; kept(l)) rest.add_link(link.a, link.b, link.latency);
  return rest;
}

Graph without_link(const Graph& graph, PortRef a, PortRef b) {
  Graph rest = with_links(graph, [&](std::size_t l) {
    const Link& link = graph.links()[l];
    return std::minmax(link.a, link.b) != std::minmax(a, b);
  });
  if (rest.links().size() == graph.links().size())
    throw InputError("there is no link {}:{}-{}:{} between switches", a.sw, a.port, b.sw, b.port);
  const std::vector<std::uint32_t> level = bfs_levels(rest, a.sw);
  if (level[b.sw] == kUnreachable)
    throw InputError("without link {}:{}-{}:{} nothing joins switches {} and {}", a.sw, a.port,
                     b.sw, b.port, a.sw, b.sw);
  return rest;
}

namespace {

void check_levels(const Graph& graph) {
  if (graph.levels.empty()) return;
  if (graph.mesh)
    throw InputError("levels: a mesh has X-Y routes, not levels; remove levels or mesh");
  if (graph.levels.size() != graph.switches())
    throw InputError("levels: {} for {} switches; give one per switch", graph.levels.size(),
                     graph.switches());
  for (const Link& link : graph.links()) {
    const auto [high, low] = std::minmax(graph.levels[link.a.sw], graph.levels[link.b.sw]);
    if (low - high != 1)
      throw InputError(
          "levels: switches {} and {} are linked and have levels {} and {}; levels of neighbours "
          "must differ by 1",
          link.a.sw, link.b.sw, graph.levels[link.a.sw], graph.levels[link.b.sw]);
  }
}

}  // namespace

void check_network(const Graph& graph) {
  if (graph.switches() == 0)
    throw InputError("switches: the list is empty; a network has at least one");
  if (graph.nodes() == 0) throw InputError("nodes: the list is empty; a network has at least one");
  const std::vector<std::uint32_t> level = bfs_levels(graph, 0);
  for (SwitchId s = 0; s < graph.switches(); ++s)
    if (level[s] == kUnreachable)
      throw InputError(
          "links: the network is not connected, switch {} cannot be reached from switch 0; add a "
          "link or remove the switch",
          s);
  check_levels(graph);
  if (!graph.mesh) return;
  if (const auto fault = mesh_fault(graph))
    throw InputError("mesh: {}; correct it or remove the field", *fault);
}

Graph parse_topology(std::string_view content, const std::string& file) {
  const std::string_view text = trimmed(content);
  if (text.empty()) throw InputError("{}: the file is empty; give a network", file);
  if (text.starts_with('{')) return parse_json(content, file);
  if (text.starts_with('<')) return parse_graphml(content, file);
  if (text.starts_with("router") || text.starts_with("node")) return parse_anynet(content, file);
  if (looks_like_ibnet(content)) return parse_ibnet(content, file);
  throw InputError(
      "{}: start: neither a network in JSON ({{\"schema\": ...) or GraphML (<graphml> ...) nor a "
      "BookSim anynet file (router 0 ...) nor the output of ibnetdiscover; is it the right file?",
      file);
}

Graph read_topology(const std::string& path) {
  if (path == "-") return parse_topology(read_standard_input(kMaxFileBytes), "standard input");
  return parse_topology(read_file(path, kMaxFileBytes), path);
}

}  // namespace muster::topology
