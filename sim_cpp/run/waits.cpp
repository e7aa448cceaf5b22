// SPDX-License-Identifier: Apache-2.0
#include "run/waits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "topology/route_check.hpp"
#include "topology/route_walk.hpp"

namespace muster::run {
namespace {

/// How much longer than in passing things may take. Seen on random networks: up to 1.2 times up to
/// kCalm; above, the turns of successive switches multiply, up to 1800 times and, rarely, more.
constexpr std::uint64_t kCalmFactor = 8, kBusyFactor = 20'000;

/// What link ends add to the credit loop, cycles (docs/systems/retry-link.md): a flit comes 2
/// later, a credit 3.
constexpr std::uint64_t kEndsLoop = 5;

std::uint64_t loop_of(const RunSpec& spec, const fabric::SwitchConfig& config) {
  return credit_loop(*spec.graph, config) + (spec.links.retry ? kEndsLoop : 0);
}

/// Switches on the longest way there can reasonably be: up to a switch and down again.
std::uint64_t longest_way(const topology::Graph& graph) {
  const std::vector<std::uint32_t> levels = topology::bfs_levels(graph, 0);
  return 2 * std::uint64_t{*std::max_element(levels.begin(), levels.end())} + 1;
}

}  // namespace

std::uint32_t longest_latency(const topology::Graph& graph) {
  std::uint32_t latency = 1;
  for (const topology::Link& link : graph.links()) latency = std::max(latency, link.latency);
  for (topology::NodeId n = 0; n < graph.nodes(); ++n)
    latency = std::max(latency, graph.node(n).latency);
  return latency;
}

std::uint64_t credit_loop(const topology::Graph& graph, const fabric::SwitchConfig& config) {
  return 2 * std::uint64_t{longest_latency(graph)} + config.kind->credit_turn;
}

double utilisation(const RunSpec& spec, const fabric::SwitchConfig& config) {
  if (spec.load_flits == 0.0) return 0.0;
  const double largest = topology::uniform_loads(*spec.graph, *spec.routes).largest;
  const double covered = static_cast<double>(config.depth) / loop_of(spec, config);
  const std::uint32_t occupancy = spec.profile.occupancy;
  const double headers = occupancy == 0 ? 1.0 : spec.packet_length / double(occupancy);
  return spec.load_flits * largest / std::min({1.0, covered, headers});
}

checkers::Bounds wait_bounds(const RunSpec& spec, const fabric::SwitchConfig& config,
                             const PlanTimes& times) {
  const std::uint64_t loop = loop_of(spec, config);
  // A flit for each credit that comes back, a header for each time that an input is occupied.
  const std::uint64_t slower =
      std::max<std::uint64_t>((loop + config.depth - 1) / config.depth, spec.profile.occupancy);
  // On a link: a message of each group, of data a packet, and all packets of the scheme.
  const std::uint64_t messages = loop + spec.profile.pipe + spec.groups.size() * slower;
  const double used = utilisation(spec, config);
  const std::uint64_t data = used == 0.0 ? 0 : spec.packet_length * slower;
  const std::uint64_t step = messages + data + times.packet_flits * slower;
  const std::uint64_t factor = used <= kCalm ? kCalmFactor : kBusyFactor;
  // Each barrier may find a packet again.
  const std::uint64_t held =
      spec.congestion ? spec.congestion->cycles * spec.groups.size() * spec.barriers : 0;
  return {factor * step * longest_way(*spec.graph) + held, times.owed_cycles, times.hop};
}

using topology::Peer;
using topology::PortRef;
using topology::SwitchId;

WaitGraph::WaitGraph(const topology::Graph& graph, const topology::Routes& routes,
                     std::span<const fabric::RegisterImage> images)
    : graph_(graph), images_(images) {
  Vertex next = 0;
  out_.resize(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s)
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) out_[s].push_back(next++);
  first_node_ = next;
  first_register_ = first_node_ + graph.nodes();
  next = first_register_;
  for (const fabric::RegisterImage& image : images) {
    register_of_.emplace(std::pair{image.sw, image.gid}, next);
    next += 2;
  }
  successors_.resize(next);
  add_channels(routes);
  for (const fabric::RegisterImage& image : images) {
    add_collection(image);
    add_distribution(image);
  }
}

/// The channel into a port of a switch.
WaitGraph::Vertex WaitGraph::into(PortRef at) const {
  const Peer& peer = graph_.peer(at.sw, at.port);
  return peer.kind == Peer::Kind::kNode ? first_node_ + peer.id : out_of({peer.id, peer.port});
}

WaitGraph::Vertex WaitGraph::up(const fabric::RegisterImage& image, SwitchId sw) const {
  const auto found = register_of_.find({sw, image.gid});
  if (found == register_of_.end()) {
    throw InternalError(fmt::format("group {}: switch {} names switch {}, which has no register",
                                    image.gid, image.sw, sw));
  }
  return found->second;
}

void WaitGraph::add_channels(const topology::Routes& routes) {
  const auto onward = [&](Vertex channel, SwitchId sw, std::uint32_t mask) {
    for (std::uint32_t p = 0; p < graph_.ports(sw); ++p)
      if ((mask >> p & 1) != 0) successors_[channel].push_back(out_of({sw, p}));
  };
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    const std::uint32_t any = topology::used_ports(routes, s);  // packets from nodes may take them
    const auto next = topology::onward_ports(graph_, routes, s);
    for (std::uint32_t p = 0; p < graph_.ports(s); ++p) {
      const Peer& peer = graph_.peer(s, p);
      if (peer.kind == Peer::Kind::kNode) onward(first_node_ + peer.id, s, any);
      if (peer.kind == Peer::Kind::kSwitch) onward(out_of({s, p}), peer.id, next[p]);
    }
  }
}

void WaitGraph::add_collection(const fabric::RegisterImage& image) {
  std::vector<Vertex>& waits = successors_[up(image, image.sw)];
  for (std::uint32_t p = 0; p < graph_.ports(image.sw); ++p) {
    if ((image.child_mask >> p & 1) == 0) continue;
    const Peer& child = graph_.peer(image.sw, p);
    if (child.kind == Peer::Kind::kOpen) {
      throw InternalError(
          fmt::format("group {}: child port {} of switch {} is open", image.gid, p, image.sw));
    }
    waits.push_back(into({image.sw, p}));
    if (child.kind == Peer::Kind::kSwitch) waits.push_back(up(image, child.id));
  }
}

void WaitGraph::add_distribution(const fabric::RegisterImage& image) {
  const Vertex here = up(image, image.sw);
  std::vector<Vertex>& waits = successors_[here + 1];
  if (image.reflect) {
    waits.push_back(here);
    return;
  }
  const PortRef at{image.sw, image.parent_port};
  const Peer parent = at.port < graph_.ports(at.sw) ? graph_.peer(at.sw, at.port) : Peer{};
  if (parent.kind == Peer::Kind::kOpen) {
    throw InternalError(
        fmt::format("group {}: parent port {} of switch {} is open", image.gid, at.port, at.sw));
  }
  waits.push_back(into(at));
  if (parent.kind == Peer::Kind::kSwitch) {
    waits.push_back(up(image, parent.id) + 1);
  } else {
    waits.push_back(out_of(at));
    waits.push_back(here);
  }
}

std::size_t WaitGraph::edges() const {
  std::size_t sum = 0;
  for (const auto& waits : successors_) sum += waits.size();
  return sum;
}

std::string WaitGraph::name(Vertex vertex) const {
  if (vertex >= first_register_) {
    const Vertex place = vertex - first_register_;
    const fabric::RegisterImage& image = images_[place / 2];
    return fmt::format("group {} {} at switch {}", image.gid, place % 2 == 0 ? "up" : "down",
                       image.sw);
  }
  if (vertex >= first_node_) return fmt::format("channel of node {}", vertex - first_node_);
  SwitchId s = 0;
  while (vertex > out_[s].back()) ++s;
  return fmt::format("channel {}:{}", s, vertex - out_[s].front());
}

std::string WaitGraph::cycle() const {
  std::string text;
  for (const Vertex v : topology::find_cycle(successors_))
    text += (text.empty() ? "" : ", ") + name(v);
  return text;
}

}  // namespace muster::run
