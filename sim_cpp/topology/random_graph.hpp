// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

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
  JoinedGraph(std::size_t vertices, std::uint32_t most)
      : most_(most), degree_(vertices, 0), list_(vertices * most), seen_(vertices, 0) {
    for (auto& side : side_) side.resize(vertices + 1);  // one more than may be met
  }

  const std::vector<Edge>& edges() const { return edges_; }
  std::uint32_t degree(Vertex v) const { return degree_[v]; }
  bool adjacent(Vertex u, Vertex v) const {
    return std::ranges::find(neighbours(u), v) != neighbours(u).end();
  }
  /// In no particular order.
  std::span<const Vertex> neighbours(Vertex v) const {
    return {&list_[v * std::size_t{most_}], degree_[v]};
  }

  /// REQUIRES: u and v differ and are not adjacent, here and below.
  void add(Vertex u, Vertex v) {
    edges_.emplace_back(u, v);
    link(u, v);
  }
  /// Puts the edge u-v in the place of edge `place`.
  void replace(std::size_t place, Vertex u, Vertex v) {
    unlink(edges_[place].first, edges_[place].second);
    edges_[place] = {u, v};
    link(u, v);
  }

  /// Puts the edge u-v in the place of edge `place` if the graph stays connected; whether it did.
  /// REQUIRES: it is, here and below.
  bool move(std::size_t place, Vertex u, Vertex v) {
    const auto [a, b] = edges_[place];
    replace(place, u, v);
    if (joined(a, b)) return true;
    replace(place, a, b);
    return false;
  }
  /// The edges a-b at place `first` and c-d at `second` become a-c and b-d if the graph stays
  /// connected; whether they did. If not, the edge at `second` is c-d in this order. REQUIRES: a
  /// and c may be joined, b and d too.
  /// Without both edges each part of the graph has one of their ends, and the new edges join a with
  /// c and b with d.
  bool exchange(std::size_t first, std::size_t second, Edge cd) {
    const auto [a, b] = edges_[first];
    const auto [c, d] = cd;
    unlink(a, b);
    unlink(c, d);
    edges_[first] = {a, c};
    edges_[second] = {b, d};
    link(a, c);
    link(b, d);
    if (joined(a, b)) return true;
    unlink(a, c);
    unlink(b, d);
    edges_[first] = {a, b};
    edges_[second] = cd;
    link(a, b);
    link(c, d);
    return false;
  }

 private:
  void link(Vertex u, Vertex v) {
    for (const auto& [from, to] : {Edge{u, v}, Edge{v, u}})
      list_[from * std::size_t{most_} + degree_[from]++] = to;
  }
  void unlink(Vertex u, Vertex v) {
    for (const auto& [from, to] : {Edge{u, v}, Edge{v, u}}) {
      Vertex* const list = &list_[from * std::size_t{most_}];
      *std::find(list, list + degree_[from], to) = list[degree_[from] - 1];
      --degree_[from];
    }
  }
  /// Searches from both ends in turn. If a path is left, they meet after about the root of the
  /// number of vertices in a random graph; if not, the smaller part ends first. Nearly all the time
  /// of a large network goes here, so neighbours are taken without a branch that no processor can
  /// predict.
  bool joined(Vertex a, Vertex b) {
    stamp_ += 2;
    std::size_t head[2] = {0, 0}, tail[2] = {1, 1};
    side_[0][0] = a;
    side_[1][0] = b;
    seen_[a] = stamp_;
    seen_[b] = stamp_ + 1;
    for (unsigned side = 0; head[side] < tail[side]; side ^= 1) {
      const std::uint64_t mine = stamp_ + side, other = stamp_ + (side ^ 1);
      bool met = false;
      for (const Vertex next : neighbours(side_[side][head[side]++])) {
        met |= seen_[next] == other;
        side_[side][tail[side]] = next;
        tail[side] += seen_[next] != mine ? 1 : 0;
        seen_[next] = mine;
      }
      if (met) return true;
    }
    return false;
  }

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
