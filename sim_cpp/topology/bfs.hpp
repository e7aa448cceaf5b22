// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

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
  explicit Neighbours(const Graph& graph);
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

/// Links on the shortest paths between switches.
struct SwitchDistances {
  std::vector<std::uint32_t> farthest;  ///< by switch: to the remotest one
  std::uint64_t total = 0;              ///< summed over all ordered pairs
};

/// Of all. REQUIRES: the network is connected.
SwitchDistances switch_distances(const Graph& graph, const Steps& steps = {});

/// The switch with the least farthest distance, of several the lowest.
inline SwitchId central_switch(const SwitchDistances& distances) {
  return static_cast<SwitchId>(std::ranges::min_element(distances.farthest) -
                               distances.farthest.begin());
}

}  // namespace muster::topology
