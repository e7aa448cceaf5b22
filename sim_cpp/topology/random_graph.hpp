// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/topology/generate.hpp"

namespace muster::topology {

/// An undirected simple graph that is first grown edge by edge, by add() and replace(), and then
/// changed edge by edge, and stays connected: each change searches for a path that is left. Edges
/// are addressed by their place in edges().
class JoinedGraph {
 public:
  using Vertex = std::uint32_t;
  using Edge = std::pair<Vertex, Vertex>;

  /// No edges yet; no vertex will have more than `most` neighbours.
  JoinedGraph(std::size_t vertices, std::uint32_t most);

  const std::vector<Edge>& edges() const { return edges_; }
  std::uint32_t degree(Vertex v) const { return degree_[v]; }
  bool adjacent(Vertex u, Vertex v) const;
  /// In no particular order.
  std::span<const Vertex> neighbours(Vertex v) const {
    return {&list_[v * std::size_t{most_}], degree_[v]};
  }

  /// REQUIRES: u and v differ and are not adjacent, here and below.
  void add(Vertex u, Vertex v);
  /// Puts the edge u-v in the place of edge `place`.
  void replace(std::size_t place, Vertex u, Vertex v);

  /// Puts the edge u-v in the place of edge `place` if the graph stays connected; whether it did.
  /// REQUIRES: it is, here and below.
  bool move(std::size_t place, Vertex u, Vertex v);
  /// The edges a-b at place `first` and c-d at `second` become a-c and b-d if the graph stays
  /// connected; whether they did. If not, the edge at `second` is c-d in this order. REQUIRES: a
  /// and c may be joined, b and d too.
  bool exchange(std::size_t first, std::size_t second, Edge cd);

 private:
  void link(Vertex u, Vertex v);
  void unlink(Vertex u, Vertex v);
  bool joined(Vertex a, Vertex b);

  std::uint32_t most_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> degree_;
  std::vector<Vertex> list_;         // neighbours, most_ places for each vertex
  std::vector<std::uint64_t> seen_;  // by vertex, the stamp of the last search side that met it
  std::vector<Vertex> side_[2];      // what the two sides of the last search met
  std::uint64_t stamp_ = 0;          // of the first side; the second has the next number
};

/// Least and most links of every vertex.
struct DegreeBounds {
  std::vector<std::uint32_t> least, most;
};

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A random connected simple graph with `edges` edges (at least one less than vertices) within the
/// bounds. Throws InputError if none was found. The uniform model walks a Markov chain from an
/// attachment graph: an edge moves to another pair of vertices, or two edges exchange ends,
/// whenever the result is a connected simple graph within the bounds. Both proposals are symmetric,
/// so its stationary distribution is uniform.
EdgeList random_connected_graph(const DegreeBounds& bounds, std::uint32_t edges, RandomModel model,
                                Rng& rng);

}  // namespace muster::topology
