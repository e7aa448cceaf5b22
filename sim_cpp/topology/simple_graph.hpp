// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::topology {

/// An undirected simple graph that is edited edge by edge; edges are addressed by their place in
/// edges(). Degrees are those of switches, at most sixteen, so neighbours are plain lists.
class SimpleGraph {
 public:
  using Vertex = std::uint32_t;
  using Edge = std::pair<Vertex, Vertex>;

  explicit SimpleGraph(std::size_t vertices) : neighbours_(vertices), seen_(vertices, 0) {}

  const std::vector<Edge>& edges() const { return edges_; }
  std::uint32_t degree(Vertex v) const { return static_cast<std::uint32_t>(neighbours_[v].size()); }
  bool adjacent(Vertex u, Vertex v) const {
    return std::find(neighbours_[u].begin(), neighbours_[u].end(), v) != neighbours_[u].end();
  }

  /// REQUIRES: u and v differ and are not adjacent.
  void add(Vertex u, Vertex v) {
    edges_.emplace_back(u, v);
    neighbours_[u].push_back(v);
    neighbours_[v].push_back(u);
  }

  /// Puts the edge u-v in the place of edge `place`. Undone by replacing it back.
  void replace(std::size_t place, Vertex u, Vertex v) {
    const auto [a, b] = edges_[place];
    unlink(a, b);
    unlink(b, a);
    edges_[place] = {u, v};
    neighbours_[u].push_back(v);
    neighbours_[v].push_back(u);
  }

  /// Whether a path joins u and v: searched from both ends in turn, which ends early in the sparse
  /// graphs this is made for.
  bool joined(Vertex u, Vertex v) {
    if (u == v) return true;
    stamp_ += 2;
    std::vector<Vertex>* front[2] = {&queue_[0], &queue_[1]};
    std::size_t head[2] = {0, 0};
    front[0]->assign(1, u);
    front[1]->assign(1, v);
    seen_[u] = stamp_;
    seen_[v] = stamp_ + 1;
    for (unsigned side = 0; head[side] < front[side]->size(); side ^= 1) {
      const Vertex at = (*front[side])[head[side]++];
      for (const Vertex next : neighbours_[at]) {
        if (seen_[next] == stamp_ + (side ^ 1)) return true;
        if (seen_[next] == stamp_ + side) continue;
        seen_[next] = stamp_ + side;
        front[side]->push_back(next);
      }
    }
    return false;
  }

 private:
  void unlink(Vertex from, Vertex to) {
    auto& list = neighbours_[from];
    *std::find(list.begin(), list.end(), to) = list.back();
    list.pop_back();
  }

  std::vector<Edge> edges_;
  std::vector<std::vector<Vertex>> neighbours_;
  std::vector<std::uint64_t> seen_;  // stamp_ of the search that met a vertex, + 1 for the far end
  std::vector<Vertex> queue_[2];
  std::uint64_t stamp_ = 0;
};

}  // namespace muster::topology
