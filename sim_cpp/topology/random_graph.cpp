// SPDX-License-Identifier: Apache-2.0
#include "topology/random_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "muster/core/error.hpp"

namespace muster::topology {

JoinedGraph::JoinedGraph(std::size_t vertices, std::uint32_t most)
    : most_(most), count_(vertices), list_(vertices * most), seen_(vertices, 0) {
  for (auto& side : side_) side.resize(vertices + 1);  // one more than may be met
}

bool JoinedGraph::adjacent(Vertex u, Vertex v) const {
  return std::find(list(u), list(u) + count_[u].all, v) != list(u) + count_[u].all;
}

bool JoinedGraph::in_tree(Vertex u, Vertex v) const {
  return std::find(list(u), list(u) + count_[u].tree, v) != list(u) + count_[u].tree;
}

void JoinedGraph::enter(Vertex from, Vertex to, bool tree) {
  list(from)[count_[from].all++] = to;
  if (tree) to_tree(from, to);
}

/// REQUIRES: the edge is there and outside the tree.
void JoinedGraph::to_tree(Vertex from, Vertex to) {
  Vertex* const first = list(from) + count_[from].tree++;
  std::swap(*first, *std::find(first, list(from) + count_[from].all, to));
}

bool JoinedGraph::leave(Vertex from, Vertex to) {
  Count& count = count_[from];
  Vertex* hole = std::find(list(from), list(from) + count.all, to);
  const bool tree = hole < list(from) + count.tree;
  if (tree) {
    Vertex* const last = list(from) + --count.tree;
    *hole = *last;
    hole = last;
  }
  *hole = list(from)[--count.all];
  return tree;
}

void JoinedGraph::link(Vertex u, Vertex v, bool tree) {
  enter(u, v, tree);
  enter(v, u, tree);
}

/// Whether the edge was in the tree.
bool JoinedGraph::unlink(Vertex u, Vertex v) {
  leave(u, v);
  return leave(v, u);
}

void JoinedGraph::add(Vertex u, Vertex v) {
  edges_.emplace_back(u, v);
  link(u, v, false);
}

void JoinedGraph::replace(std::size_t place, Vertex u, Vertex v) {
  unlink(edges_[place].first, edges_[place].second);
  edges_[place] = {u, v};
  link(u, v, false);
}

void JoinedGraph::plant() {
  if (count_.empty()) return;
  stamp_ += 2;
  std::vector<Vertex> queue{0};
  seen_[0] = stamp_;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Vertex v = queue[head];
    for (std::uint32_t i = count_[v].tree; i < count_[v].all; ++i) {
      const Vertex next = list(v)[i];
      if (seen_[next] == stamp_) continue;
      seen_[next] = stamp_;
      to_tree(v, next);
      to_tree(next, v);
      queue.push_back(next);
    }
  }
}

/// The tree has lost the edge a-b: finds the smaller of the two parts that it had joined. Both are
/// searched in turn, so the effort is that of the smaller one. Nearly all the time of a large
/// network goes here, so neighbours are taken without a branch that no processor can predict.
void JoinedGraph::find_part(Vertex a, Vertex b) {
  stamp_ += 2;
  std::size_t head[2] = {0, 0}, tail[2] = {1, 1};
  side_[0][0] = a;
  side_[1][0] = b;
  seen_[a] = stamp_;
  seen_[b] = stamp_ + 1;
  unsigned side = 0;
  for (; head[side] < tail[side]; side ^= 1) {
    const Vertex at = side_[side][head[side]++];
    const Vertex* const next = list(at);
    for (std::uint32_t i = 0; i < count_[at].tree; ++i) {
      side_[side][tail[side]] = next[i];
      tail[side] += seen_[next[i]] != stamp_ + side ? 1 : 0;
      seen_[next[i]] = stamp_ + side;
    }
  }
  part_ = stamp_ + side;
  part_size_ = tail[side];
}

/// The tree has lost the edge a-b. False if another edge could join its parts again, which has
/// become one of the tree; otherwise same_part() tells the parts.
bool JoinedGraph::parted(Vertex a, Vertex b) {
  find_part(a, b);
  for (std::size_t place = 0; place < part_size_; ++place) {
    const Vertex v = side_[part_ - stamp_][place];
    for (std::uint32_t i = count_[v].tree; i < count_[v].all; ++i) {
      const Vertex other = list(v)[i];
      if (seen_[other] == part_) continue;
      to_tree(v, other);
      to_tree(other, v);
      return false;
    }
  }
  return true;
}

bool JoinedGraph::move(std::size_t place, Vertex u, Vertex v) {
  const auto [a, b] = edges_[place];
  const bool open = unlink(a, b) && parted(a, b);
  const bool joined = !open || !same_part(u, v);
  if (joined) edges_[place] = {u, v};
  link(edges_[place].first, edges_[place].second, open);
  return joined;
}

bool JoinedGraph::exchange(std::size_t first, std::size_t second, Edge cd) {
  const auto [a, b] = edges_[first];
  const auto [c, d] = cd;
  // An edge of the tree stays until the other one is judged; one outside must not become the
  // other's substitute.
  const bool second_in_tree = in_tree(c, d);
  if (!second_in_tree) unlink(c, d);
  const bool ab_open = unlink(a, b) && parted(a, b);
  // Which of the new edges join parts; with both it is enough to have one in the tree.
  bool ac_joins = ab_open && !same_part(a, c);
  bool bd_joins = ab_open && !same_part(b, d);
  bool cd_open = false, joined = !ab_open || ac_joins || bd_joins;
  if (second_in_tree) {
    unlink(c, d);
    cd_open = parted(c, d);
    const bool ac_parted = cd_open && !same_part(a, c), bd_parted = cd_open && !same_part(b, d);
    if (cd_open && ab_open) {
      // Three parts. c and d were on one side of a-b; on that side the other end of a new edge must
      // be in the part of neither its own partner nor the third.
      joined = ac_joins ? bd_parted : ac_parted;
      ac_joins = bd_joins = true;
    } else if (cd_open) {
      ac_joins = ac_parted;
      bd_joins = bd_parted;
      joined = ac_joins || bd_joins;
    }
  }
  if (!joined) {
    link(a, b, ab_open);
    link(c, d, cd_open);
    edges_[second] = cd;
    return false;
  }
  edges_[first] = {a, c};
  edges_[second] = {b, d};
  link(a, c, ac_joins);
  link(b, d, bd_joins && (!ac_joins || (ab_open && cd_open)));
  return true;
}

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
        graph_(bounds.most.size(), *std::max_element(bounds.most.begin(), bounds.most.end())) {}

  bool attachment_graph() {
    if (!spanning_tree() || !fill()) return false;
    graph_.plant();
    return lift_low_degrees();
  }

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
      graph_.each_neighbour(open[i], [&](Vertex other) {
        if (other < open[i] && has_room(other)) --partners.back();
      });
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
  throw InputError(fmt::format(
      "no connected graph of {} links found for {} switches; change ports or connectivity", edges,
      bounds.most.size()));
}

}  // namespace muster::topology
