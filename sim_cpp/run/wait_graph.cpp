// SPDX-License-Identifier: Apache-2.0
#include "run/wait_graph.hpp"

#include <fmt/format.h>

#include "muster/core/error.hpp"
#include "topology/routes/find_cycle.hpp"
#include "topology/routes/onward.hpp"

namespace muster::run {

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
