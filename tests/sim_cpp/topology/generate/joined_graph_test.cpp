// SPDX-License-Identifier: Apache-2.0
#include "topology/generate/joined_graph.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "muster/core/rng.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::topology;

namespace {

using Edges = std::vector<JoinedGraph::Edge>;

/// Whether the edges join all vertices: the parts of a graph, merged edge by edge.
bool all_joined(std::uint32_t vertices, const Edges& edges) {
  std::vector<std::uint32_t> part(vertices);
  std::iota(part.begin(), part.end(), 0);
  for (const auto& [u, v] : edges) {
    const std::uint32_t from = part[u], to = part[v];
    std::replace(part.begin(), part.end(), from, to);
  }
  return std::count(part.begin(), part.end(), part[0]) == vertices;
}

bool has(const Edges& edges, std::uint32_t u, std::uint32_t v) {
  return std::any_of(edges.begin(), edges.end(), [&](const JoinedGraph::Edge& e) {
    return e == JoinedGraph::Edge{u, v} || e == JoinedGraph::Edge{v, u};
  });
}

/// A random connected graph, from a tree to a few edges more than vertices.
JoinedGraph grown(std::uint32_t vertices, Rng& rng) {
  JoinedGraph graph(vertices, vertices - 1);
  const auto any = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(rng.below(below));
  };
  for (std::uint32_t v = 1; v < vertices; ++v) graph.add(any(v), v);
  for (std::uint64_t more = rng.below(vertices); more > 0; --more) {
    const std::uint32_t u = any(vertices), v = any(vertices);
    if (u != v && !graph.adjacent(u, v)) graph.add(u, v);
  }
  graph.plant();
  return graph;
}

}  // namespace

TEST_CASE("a graph takes exactly the changes that leave it connected", "[topology][generate]") {
  CAPTURE(muster_seed());
  Rng rng(muster_seed(), 21);
  int taken = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    const auto vertices = static_cast<std::uint32_t>(4 + rng.below(12));
    JoinedGraph graph = grown(vertices, rng);
    const std::uint64_t count = graph.edges().size();
    for (int change = 0; change < 60; ++change) {
      Edges wanted = graph.edges();
      const std::size_t first = rng.below(count), second = rng.below(count);
      const auto [a, b] = wanted[first];
      auto [c, d] = wanted[second];
      if (rng.below(2) == 0) std::swap(c, d);
      bool done = false, right = false;
      if (rng.below(2) == 0) {
        const auto u = static_cast<std::uint32_t>(rng.below(vertices));
        const auto v = static_cast<std::uint32_t>(rng.below(vertices));
        if (u == v || graph.adjacent(u, v)) continue;
        wanted[first] = {u, v};
        right = all_joined(vertices, wanted);
        if (!right) wanted[first] = {a, b};
        done = graph.move(first, u, v);
      } else {
        if (first == second || a == c || b == d || has(wanted, a, c) || has(wanted, b, d)) continue;
        wanted[first] = {a, c};
        wanted[second] = {b, d};
        right = all_joined(vertices, wanted);
        if (!right) {
          wanted[first] = {a, b};
          wanted[second] = {c, d};
        }
        done = graph.exchange(first, second, {c, d});
      }
      ++(done ? taken : refused);
      REQUIRE(done == right);
      REQUIRE(graph.edges() == wanted);
      for (std::uint32_t v = 0; v < vertices; ++v) {
        std::uint32_t degree = 0;
        for (const auto& [x, y] : wanted) degree += (x == v || y == v) ? 1 : 0;
        REQUIRE(graph.degree(v) == degree);
      }
    }
  }
  CHECK(taken > 1000);
  CHECK(refused > 1000);
}
