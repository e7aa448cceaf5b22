// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <tuple>

#include "muster/topology/routes.hpp"

namespace muster::topology {

/// Where BFS can go from a switch: one entry per neighbour, ascending by identifier. Of parallel
/// links it holds the one on the lowest port of this switch.
struct Hop {
  SwitchId to = 0;
  std::uint32_t port = 0;     ///< at this switch
  std::uint32_t to_port = 0;  ///< at the neighbour
};

/// The neighbours of all switches in one array, so that a search touches little memory.
class Neighbours {
 public:
  explicit Neighbours(const Graph& graph) {
    begin_.reserve(graph.switches() + 1);
    begin_.push_back(0);
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      std::vector<Hop> found;
      for (std::uint32_t port = 0; port < graph.ports(s); ++port) {
        const Peer& peer = graph.peer(s, port);
        if (peer.kind == Peer::Kind::kSwitch) found.push_back({peer.id, port, peer.port});
      }
      std::ranges::sort(found, [](const Hop& a, const Hop& b) {
        return std::tie(a.to, a.port) < std::tie(b.to, b.port);
      });
      const auto end = std::unique(found.begin(), found.end(),
                                   [](const Hop& a, const Hop& b) { return a.to == b.to; });
      hops_.insert(hops_.end(), found.begin(), end);
      begin_.push_back(static_cast<std::uint32_t>(hops_.size()));
    }
  }
  std::uint32_t switches() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  std::span<const Hop> of(SwitchId s) const {
    return {hops_.data() + begin_[s], hops_.data() + begin_[s + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<Hop> hops_;
};

/// Breadth-first search with a FIFO queue: the parent of a switch is the first that reaches it.
/// One object serves many searches and allocates only for the first.
class Bfs {
 public:
  explicit Bfs(const Neighbours& neighbours)
      : neighbours_(neighbours),
        parent_(neighbours.switches()),
        level_(neighbours.switches()),
        hop_(neighbours.switches()) {
    order_.reserve(neighbours.switches());
  }
  void run(SwitchId root) {
    std::fill(level_.begin(), level_.end(), kUnreachable);
    order_.clear();
    order_.push_back(root);  // the queue is never emptied: what has left it is the order
    level_[root] = 0;
    parent_[root] = root;
    for (std::size_t head = 0; head < order_.size(); ++head) {
      const SwitchId s = order_[head];
      for (const Hop& hop : neighbours_.of(s)) {
        if (level_[hop.to] != kUnreachable) continue;
        level_[hop.to] = level_[s] + 1;
        parent_[hop.to] = s;
        hop_[hop.to] = &hop;
        order_.push_back(hop.to);
      }
    }
  }

  /// Switches in the order they were reached, root first.
  const std::vector<SwitchId>& order() const { return order_; }
  /// Edges from the root, or kUnreachable.
  std::uint32_t level(SwitchId s) const { return level_[s]; }
  const std::vector<std::uint32_t>& levels() const { return level_; }  ///< by switch
  /// The root is its own parent.
  SwitchId parent(SwitchId s) const { return parent_[s]; }
  /// The hop from the parent to `s`; none for the root.
  const Hop& hop_to(SwitchId s) const { return *hop_[s]; }

 private:
  const Neighbours& neighbours_;
  std::vector<SwitchId> order_, parent_;
  std::vector<std::uint32_t> level_;
  std::vector<const Hop*> hop_;
};

/// Links on the shortest paths from one switch to all others.
struct Distances {
  std::uint32_t farthest = 0;  ///< to the remotest switch
  std::uint64_t total = 0;     ///< summed over all switches
};

/// Those of every switch. REQUIRES: the network is connected.
inline std::vector<Distances> switch_distances(const Graph& graph, const Steps& steps = {}) {
  const Neighbours neighbours(graph);
  Bfs bfs(neighbours);
  std::vector<Distances> result;
  for (SwitchId root = 0; root < graph.switches(); ++root) {
    bfs.run(root);
    Distances& found = result.emplace_back(Distances{bfs.level(bfs.order().back()), 0});
    for (const SwitchId s : bfs.order()) found.total += bfs.level(s);
    if (steps) steps("distances", "switches", root + 1, graph.switches());
  }
  return result;
}

/// The switch with the least farthest distance, of several the lowest.
inline SwitchId central_switch(const std::vector<Distances>& distances) {
  return static_cast<SwitchId>(std::ranges::min_element(distances, {}, &Distances::farthest) -
                               distances.begin());
}

}  // namespace muster::topology
