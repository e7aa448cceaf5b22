// SPDX-License-Identifier: Apache-2.0
#include "topology/bfs.hpp"

#include <algorithm>
#include <tuple>

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

std::vector<Distances> switch_distances(const Graph& graph, const Steps& steps) {
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

SwitchId central_switch(const std::vector<Distances>& distances) {
  const auto nearer = [](const Distances& a, const Distances& b) {
    return a.farthest < b.farthest;
  };
  return static_cast<SwitchId>(std::min_element(distances.begin(), distances.end(), nearer) -
                               distances.begin());
}

}  // namespace muster::topology
