// SPDX-License-Identifier: Apache-2.0
#include "topology/generate/joined_graph.hpp"

#include <algorithm>

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

}  // namespace muster::topology
