// SPDX-License-Identifier: Apache-2.0
#include "topology/random_graph.hpp"

#include <algorithm>
#include <numeric>

#include "muster/core/error.hpp"

namespace muster::topology {

namespace {

using Vertex = JoinedGraph::Vertex;

constexpr unsigned kAttempts = 20;          // fresh starts before giving up
constexpr unsigned kProposalsPerEdge = 50;  // length of the Markov chain

class Builder {
 public:
  Builder(const DegreeBounds& bounds, std::uint32_t edges, Rng& rng)
      : bounds_(bounds),
        vertices_(static_cast<std::uint32_t>(bounds.most.size())),
        wanted_(edges),
        rng_(rng),
        graph_(bounds.most.size(), *std::ranges::max_element(bounds.most)) {}

  bool attachment_graph() { return spanning_tree() && fill() && lift_low_degrees(); }

  void mix() {
    if (graph_.edges().empty()) return;
    for (std::uint64_t i = 0; i < std::uint64_t{kProposalsPerEdge} * wanted_; ++i)
      rng_.below(2) == 0 ? move_edge() : exchange_ends();
  }

  const EdgeList& edges() const { return graph_.edges(); }

 private:
  Vertex any_vertex() { return static_cast<Vertex>(rng_.below(vertices_)); }
  std::size_t any_edge() { return rng_.below(graph_.edges().size()); }
  bool has_room(Vertex v) const { return graph_.degree(v) < bounds_.most[v]; }
  bool can_join(Vertex u, Vertex v) const { return u != v && !graph_.adjacent(u, v); }

  bool spanning_tree() {
    std::vector<Vertex> order(vertices_);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng_.below(i)]);
    // Vertices that can only be leaves come last, or they would block the growth.
    std::stable_partition(order.begin(), order.end(),
                          [&](Vertex v) { return bounds_.most[v] > 1; });
    std::vector<Vertex> open;
    for (const Vertex v : order) {
      if (!open.empty()) {
        const std::size_t pick = rng_.below(open.size());
        graph_.add(open[pick], v);
        if (!has_room(open[pick])) {
          open[pick] = open.back();
          open.pop_back();
        }
      } else if (v != order.front()) {
        return false;
      }
      if (has_room(v)) open.push_back(v);
    }
    return true;
  }

  /// Adds random edges up to the wanted number.
  bool fill() {
    while (graph_.edges().size() < wanted_)
      if (!add_random() && !add_listed() && !add_by_splitting()) return false;
    return true;
  }

  bool add_random() {
    for (unsigned i = 0; i < 100; ++i) {
      const Vertex u = any_vertex(), v = any_vertex();
      if (!has_room(u) || !has_room(v) || !can_join(u, v)) continue;
      graph_.add(u, v);
      return true;
    }
    return false;
  }

  std::vector<Vertex> with_room() const {
    std::vector<Vertex> list;
    for (Vertex v = 0; v < vertices_; ++v)
      if (has_room(v)) list.push_back(v);
    return list;
  }

  /// Joins one of all pairs of vertices with room that are not adjacent. They are numbered by the
  /// higher vertex, then by the lower one, and counted, as there may be millions.
  bool add_listed() {
    const std::vector<Vertex> open = with_room();
    std::vector<std::uint32_t> partners;  // below each of them
    std::uint64_t pairs = 0;
    for (std::uint32_t i = 0; i < open.size(); ++i) {
      partners.push_back(i);
      for (const Vertex other : graph_.neighbours(open[i]))
        if (other < open[i] && has_room(other)) --partners.back();
      pairs += partners.back();
    }
    if (pairs == 0) return false;
    std::uint64_t pick = rng_.below(pairs);
    std::size_t i = 0;
    for (; pick >= partners[i]; ++i) pick -= partners[i];
    for (std::size_t j = 0;; ++j) {
      if (graph_.adjacent(open[i], open[j]) || pick-- != 0) continue;
      graph_.add(open[i], open[j]);
      return true;
    }
  }

  /// The vertices with room are all adjacent (or there is but one): u-x and v-y replace an x-y
  /// elsewhere, where u and v may be the same vertex if it has room for two. One edge is gained,
  /// and what hung together by x-y still does, since u and v are adjacent or the same.
  bool add_by_splitting() {
    const std::vector<Vertex> open = with_room();
    for (unsigned i = 0; i < 1000 && !open.empty(); ++i) {
      const Vertex u = open[rng_.below(open.size())], v = open[rng_.below(open.size())];
      if (u == v && graph_.degree(u) + 2 > bounds_.most[u]) continue;
      const std::size_t place = any_edge();
      const auto [x, y] = graph_.edges()[place];
      if (!can_join(u, x) || !can_join(v, y)) continue;
      graph_.replace(place, u, x);
      graph_.add(v, y);
      return true;
    }
    return false;
  }

  bool low(Vertex v) const { return graph_.degree(v) < bounds_.least[v]; }

  /// Moves edge ends from where they can be spared to vertices below their least degree.
  bool lift_low_degrees() {
    for (Vertex v = 0; v < vertices_; ++v)
      for (std::uint64_t tries = 1000 + 100 * std::uint64_t{wanted_}; low(v); --tries) {
        if (tries == 0) return false;
        lift(v);
      }
    return true;
  }

  void lift(Vertex v) {
    const std::size_t place = any_edge();
    auto [a, b] = graph_.edges()[place];
    if (rng_.below(2) == 0) std::swap(a, b);
    if (graph_.degree(a) > bounds_.least[a] && can_join(b, v)) graph_.move(place, b, v);
  }

  void move_edge() {
    const std::size_t place = any_edge();
    const Vertex a = graph_.edges()[place].first, b = graph_.edges()[place].second;
    const Vertex u = any_vertex(), v = any_vertex();
    if (!can_join(u, v)) return;
    const auto within = [&](Vertex w) {
      const std::uint32_t gain = (w == u || w == v) ? 1 : 0, loss = (w == a || w == b) ? 1 : 0;
      const std::uint32_t degree = graph_.degree(w) + gain - loss;
      return degree >= bounds_.least[w] && degree <= bounds_.most[w];
    };
    if (within(a) && within(b) && within(u) && within(v)) graph_.move(place, u, v);
  }

  void exchange_ends() {
    const std::size_t first = any_edge(), second = any_edge();
    const auto [a, b] = graph_.edges()[first];
    auto [c, d] = graph_.edges()[second];
    if (rng_.below(2) == 0) std::swap(c, d);
    if (first == second || !can_join(a, c) || !can_join(b, d)) return;
    graph_.exchange(first, second, {c, d});
  }

  const DegreeBounds& bounds_;
  const std::uint32_t vertices_, wanted_;
  Rng& rng_;
  JoinedGraph graph_;
};

}  // namespace

EdgeList random_connected_graph(const DegreeBounds& bounds, std::uint32_t edges, RandomModel model,
                                Rng& rng) {
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    Builder builder(bounds, edges, rng);
    if (!builder.attachment_graph()) continue;
    if (model == RandomModel::kUniform) builder.mix();
    return builder.edges();
  }
  throw InputError(
      "no connected graph of {} links found for {} switches; change ports or connectivity", edges,
      bounds.most.size());
}

}  // namespace muster::topology
