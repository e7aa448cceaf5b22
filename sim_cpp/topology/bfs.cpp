// SPDX-License-Identifier: Apache-2.0
#include "topology/bfs.hpp"

#include <algorithm>
#include <tuple>

#include "muster/core/bits.hpp"

namespace muster::topology {

Neighbours::Neighbours(const Graph& graph) {
  begin_.reserve(graph.switches() + 1);
  begin_.push_back(0);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    std::vector<Hop> found;
    for (std::uint32_t port = 0; port < graph.ports(s); ++port) {
      const Peer& peer = graph.peer(s, port);
      if (peer.kind == Peer::Kind::kSwitch) found.push_back({peer.id, port, peer.port});
    }
    std::sort(found.begin(), found.end(), [](const Hop& a, const Hop& b) {
      return std::tie(a.to, a.port) < std::tie(b.to, b.port);
    });
    const auto end = std::unique(found.begin(), found.end(),
                                 [](const Hop& a, const Hop& b) { return a.to == b.to; });
    hops_.insert(hops_.end(), found.begin(), end);
    begin_.push_back(static_cast<std::uint32_t>(hops_.size()));
  }
}

Bfs::Bfs(const Neighbours& neighbours)
    : neighbours_(neighbours),
      parent_(neighbours.switches()),
      level_(neighbours.switches()),
      hop_(neighbours.switches()) {
  order_.reserve(neighbours.switches());
}

void Bfs::run(SwitchId root) {
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

namespace {

constexpr std::uint32_t kSearches = 64;  // at a time, one bit each

/// Breadth-first searches from 64 switches of consecutive numbers at once: bit i of a word is the
/// search from the i-th of them.
class ParallelSearch {
 public:
  explicit ParallelSearch(const Neighbours& neighbours)
      : neighbours_(neighbours),
        visited_(neighbours.switches()),
        frontier_(neighbours.switches()),
        next_(neighbours.switches()) {}

  void run(SwitchId first, std::uint32_t count, Distances* result) {
    std::fill(visited_.begin(), visited_.end(), 0);
    at_frontier_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      visited_[first + i] = frontier_[first + i] = std::uint64_t{1} << i;
      at_frontier_.push_back(first + i);
    }
    for (std::uint32_t level = 1; !at_frontier_.empty(); ++level) {
      step();
      for (const SwitchId s : at_frontier_)
        core::for_each_bit(frontier_[s], [&](std::uint32_t i) {
          result[i].farthest = level;
          result[i].total += level;
        });
    }
  }

 private:
  /// The frontiers of the next level.
  void step() {
    at_next_.clear();
    for (const SwitchId s : at_frontier_)
      for (const Hop& hop : neighbours_.of(s)) {
        if (next_[hop.to] == 0) at_next_.push_back(hop.to);
        next_[hop.to] |= frontier_[s];
      }
    at_frontier_.clear();
    for (const SwitchId s : at_next_) {
      frontier_[s] = next_[s] & ~visited_[s];
      next_[s] = 0;
      visited_[s] |= frontier_[s];
      if (frontier_[s] != 0) at_frontier_.push_back(s);
    }
  }

  const Neighbours& neighbours_;
  std::vector<std::uint64_t> visited_;   // by switch, the searches that have visited it
  std::vector<std::uint64_t> frontier_;  // those that visit it in this level
  std::vector<std::uint64_t> next_;      // those that lead to it from this level, visited or not
  std::vector<SwitchId> at_frontier_;    // switches of a frontier
  std::vector<SwitchId> at_next_;        // switches with a bit of next_
};

}  // namespace

std::vector<Distances> switch_distances(const Graph& graph, const Steps& steps) {
  const Neighbours neighbours(graph);
  ParallelSearch search(neighbours);
  std::vector<Distances> result(graph.switches());
  for (SwitchId first = 0; first < graph.switches(); first += kSearches) {
    const std::uint32_t count = std::min(kSearches, graph.switches() - first);
    search.run(first, count, &result[first]);
    if (steps) steps("distances", "switches", first + count, graph.switches());
  }
  return result;
}

SwitchId central_switch(const std::vector<Distances>& distances) {
  const auto nearer = [](const Distances& a, const Distances& b) {
    return a.farthest < b.farthest;
  };
  return static_cast<SwitchId>(std::min_element(distances.begin(), distances.end(), nearer) -
                               distances.begin());
}

}  // namespace muster::topology
