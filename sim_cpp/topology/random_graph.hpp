// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/topology/generate.hpp"

namespace muster::topology {

/// An undirected simple graph that is first grown edge by edge and then changed edge by edge, and
/// stays connected. Edges are addressed by their place in edges().
///
/// Growing: add() and replace(), in any order. When the graph is connected, plant() chooses a
/// spanning tree. From then on move() and exchange() keep it, so that a change of an edge outside
/// the tree is known to be harmless at once, and one of an edge of the tree costs as much as the
/// smaller of the two parts into which the tree falls: about the root of the number of vertices on
/// average in a random tree, where a search for another path may see the whole graph.
class JoinedGraph {
 public:
  using Vertex = std::uint32_t;
  using Edge = std::pair<Vertex, Vertex>;

  /// No edges yet; no vertex will have more than `most` neighbours.
  JoinedGraph(std::size_t vertices, std::uint32_t most);

  const std::vector<Edge>& edges() const { return edges_; }
  std::uint32_t degree(Vertex v) const { return count_[v].all; }
  bool adjacent(Vertex u, Vertex v) const;
  /// Calls visit(neighbour), in no particular order.
  template <class Visit>
  void each_neighbour(Vertex v, Visit&& visit) const {
    for (std::uint32_t i = 0; i < count_[v].all; ++i) visit(list(v)[i]);
  }

  /// REQUIRES: u and v differ and are not adjacent, here and below; no tree is planted.
  void add(Vertex u, Vertex v);
  /// Puts the edge u-v in the place of edge `place`.
  void replace(std::size_t place, Vertex u, Vertex v);

  /// REQUIRES: the graph is connected.
  void plant();
  /// Puts the edge u-v in the place of edge `place` if the graph stays connected; whether it did.
  bool move(std::size_t place, Vertex u, Vertex v);
  /// The edges a-b at place `first` and c-d at `second` become a-c and b-d if the graph stays
  /// connected; whether they did. If not, the edge at `second` is c-d in this order. REQUIRES: a
  /// and c may be joined, b and d too.
  bool exchange(std::size_t first, std::size_t second, Edge cd);

 private:
  /// Neighbours of a vertex; those in the tree stand before the others.
  struct Count {
    std::uint32_t all = 0, tree = 0;
  };

  Vertex* list(Vertex v) { return &list_[v * std::size_t{most_}]; }
  const Vertex* list(Vertex v) const { return &list_[v * std::size_t{most_}]; }
  void link(Vertex u, Vertex v, bool tree);
  bool unlink(Vertex u, Vertex v);
  bool in_tree(Vertex u, Vertex v) const;
  void enter(Vertex from, Vertex to, bool tree);
  bool leave(Vertex from, Vertex to);
  void to_tree(Vertex from, Vertex to);
  bool parted(Vertex a, Vertex b);
  void find_part(Vertex a, Vertex b);
  bool same_part(Vertex u, Vertex v) const { return (seen_[u] == part_) == (seen_[v] == part_); }

  std::uint32_t most_;
  std::vector<Edge> edges_;
  std::vector<Count> count_;
  std::vector<Vertex> list_;         // most_ places for each vertex
  std::vector<std::uint64_t> seen_;  // by vertex, the stamp of the last search side that met it
  std::vector<Vertex> side_[2];      // what the two sides of the last search met
  std::uint64_t stamp_ = 0;          // of the first side; the second has the next number
  std::uint64_t part_ = 0;           // of the side that is complete
  std::size_t part_size_ = 0;        // vertices that it has met
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
