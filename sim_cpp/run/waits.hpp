// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <map>

#include "muster/run/plan.hpp"
#include "topology/route_check.hpp"
#include "topology/route_walk.hpp"

namespace muster::run {

/// Loads of the data of a run, with each node sending a flit a cycle by the pattern that is named.
topology::ChannelLoads offered_loads(const RunSpec& spec);

/// Share of the busiest channel's capacity that the background data ask for, 0 without data. A link
/// whose buffers cover less than its credit loop has so much less of it.
double utilisation(const RunSpec& spec, const fabric::SwitchConfig& config);

/// Up to here waits have a close bound: queues are short and what waits has its turn soon.
inline constexpr double kCalm = 0.4;

/// Cycles that the longest link takes.
std::uint32_t longest_latency(const topology::Graph& graph);

/// The longest that anything may take in this run, for the checker of bounded waits;
/// docs/reference/runs.md has the formulas. Up to kCalm they grow with length of packets, way,
/// credit loop and groups; above, where single nodes starve, only with the size of the network.
checkers::Bounds wait_bounds(const RunSpec& spec, const fabric::SwitchConfig& config,
                             const PlanTimes& times);

/// The channel dependency graph of a network extended by its barrier registers: who may have to
/// wait for whom before it can move (docs/reference/deadlock.md). Acyclic means
/// that one barrier, many at once, and barriers among wormhole packets all come to their end.
///
/// Vertices: every direction of every link, node links included, and of every register what it
/// collects on the way up and what it hands down. Edges, "waits for":
///  - a channel for the channels that a packet in it may take next (all bits of all masks);
///  - what a register collects for each child: the channel from it, and what the child collects;
///  - what a register hands down for the channel from its parent and what the parent hands down; at
///    the root switch for its own collection, and without `reflect` for the root node's two
///    channels.
/// There is no edge from a channel to a register: a barrier message is in no queue, or is consumed
/// unconditionally when it is in front, so that no packet waits for a barrier.
///
/// It is built from the registers as they are loaded, not from trees, so it finds wrong registers
/// too.
class WaitGraph {
 public:
  /// `images`: the registers in use of all switches. Throws InternalError if a child or a parent
  /// named by a register is an open port or a switch without a register of the group.
  WaitGraph(const topology::Graph& graph, const topology::Routes& routes,
            std::span<const fabric::RegisterImage> images)
      : graph_(graph), images_(images) {
    Vertex next = 0;
    out_.resize(graph.switches());
    for (topology::SwitchId s = 0; s < graph.switches(); ++s)
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

  std::size_t vertices() const { return successors_.size(); }
  std::size_t edges() const {
    std::size_t sum = 0;
    for (const auto& waits : successors_) sum += waits.size();
    return sum;
  }
  /// One cycle as text, "channel 0:1, group 3 up at switch 4, ..."; empty if there is none.
  std::string cycle() const {
    std::string text;
    for (const Vertex v : topology::find_cycle(successors_))
      text += (text.empty() ? "" : ", ") + name(v);
    return text;
  }

 private:
  using Vertex = std::uint32_t;
  Vertex out_of(topology::PortRef at) const { return out_[at.sw][at.port]; }
  /// The channel into a port of a switch.
  Vertex into(topology::PortRef at) const {
    const topology::Peer& peer = graph_.peer(at.sw, at.port);
    return peer.kind == topology::Peer::Kind::kNode ? first_node_ + peer.id
                                                    : out_of({peer.id, peer.port});
  }
  Vertex up(const fabric::RegisterImage& image, topology::SwitchId sw) const {
    const auto found = register_of_.find({sw, image.gid});
    if (found == register_of_.end())
      throw InternalError("group {}: switch {} names switch {}, which has no register", image.gid,
                          image.sw, sw);
    return found->second;
  }
  void add_channels(const topology::Routes& routes) {
    // Whether virtual channels wait for each other DependencyGraph says, and none waits for a
    // register.
    if (routes.phases() != nullptr) return;
    const auto onward = [&](Vertex channel, topology::SwitchId sw, core::PortMask mask) {
      for (std::uint32_t p = 0; p < graph_.ports(sw); ++p)
        if ((mask >> p & 1) != 0) successors_[channel].push_back(out_of({sw, p}));
    };
    for (topology::SwitchId s = 0; s < graph_.switches(); ++s) {
      const core::PortMask any =
          topology::used_ports(routes, s);  // packets from nodes may take them
      const auto next = topology::onward_ports(graph_, routes, s);
      for (std::uint32_t p = 0; p < graph_.ports(s); ++p) {
        const topology::Peer& peer = graph_.peer(s, p);
        if (peer.kind == topology::Peer::Kind::kNode) onward(first_node_ + peer.id, s, any);
        if (peer.kind == topology::Peer::Kind::kSwitch) onward(out_of({s, p}), peer.id, next[p]);
      }
    }
  }
  void add_collection(const fabric::RegisterImage& image) {
    std::vector<Vertex>& waits = successors_[up(image, image.sw)];
    for (std::uint32_t p = 0; p < graph_.ports(image.sw); ++p) {
      if ((image.child_mask >> p & 1) == 0) continue;
      const topology::Peer& child = graph_.peer(image.sw, p);
      if (child.kind == topology::Peer::Kind::kOpen)
        throw InternalError("group {}: child port {} of switch {} is open", image.gid, p, image.sw);
      waits.push_back(into({image.sw, p}));
      if (child.kind == topology::Peer::Kind::kSwitch) waits.push_back(up(image, child.id));
    }
  }
  void add_distribution(const fabric::RegisterImage& image) {
    const Vertex here = up(image, image.sw);
    std::vector<Vertex>& waits = successors_[here + 1];
    if (image.reflect) {
      waits.push_back(here);
      return;
    }
    const topology::PortRef at{image.sw, image.parent_port};
    const topology::Peer parent =
        at.port < graph_.ports(at.sw) ? graph_.peer(at.sw, at.port) : topology::Peer{};
    if (parent.kind == topology::Peer::Kind::kOpen)
      throw InternalError("group {}: parent port {} of switch {} is open", image.gid, at.port,
                          at.sw);
    waits.push_back(into(at));
    if (parent.kind == topology::Peer::Kind::kSwitch) {
      waits.push_back(up(image, parent.id) + 1);
    } else {
      waits.push_back(out_of(at));
      waits.push_back(here);
    }
  }
  std::string name(Vertex vertex) const {
    if (vertex >= first_register_) {
      const Vertex place = vertex - first_register_;
      const fabric::RegisterImage& image = images_[place / 2];
      return fmt::format("group {} {} at switch {}", image.gid, place % 2 == 0 ? "up" : "down",
                         image.sw);
    }
    if (vertex >= first_node_) return fmt::format("channel of node {}", vertex - first_node_);
    topology::SwitchId s = 0;
    while (vertex > out_[s].back()) ++s;
    return fmt::format("channel {}:{}", s, vertex - out_[s].front());
  }

  const topology::Graph& graph_;
  std::vector<std::vector<Vertex>> out_;  ///< the channel out of a port of a switch
  Vertex first_node_ = 0;                 ///< the channels out of the nodes, by node
  Vertex first_register_ = 0;             ///< two for each image: up, down
  std::map<std::pair<topology::SwitchId, std::uint32_t>, Vertex> register_of_;  ///< switch, group
  std::span<const fabric::RegisterImage> images_;
  std::vector<std::vector<Vertex>> successors_;
};

}  // namespace muster::run
