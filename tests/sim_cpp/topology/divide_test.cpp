// SPDX-License-Identifier: Apache-2.0
#include "topology/divide.hpp"

#include "sim_cpp/topology/sample_networks.hpp"
#include "topology/bfs.hpp"

using namespace muster;
using namespace muster::topology;

/// Links to every switch, by relaxing all links until nothing changes.
static std::vector<std::uint64_t> relaxed(const Graph& graph, SwitchId from) {
  std::vector<std::uint64_t> links(graph.switches(), graph.switches());
  links[from] = 0;
  for (bool changes = true; changes;) {
    changes = false;
    for (const Link& link : graph.links()) {
      std::uint64_t &a = links[link.a.sw], &b = links[link.b.sw];
      changes = changes || a > b + 1 || b > a + 1;
      a = std::min(a, b + 1);
      b = std::min(b, a + 1);
    }
  }
  return links;
}

TEST_CASE("distances are the fewest links, and the most central switch is the routing root",
          "[topology][distances]") {
  Random rng(muster_seed(), 22);
  std::vector<Graph> graphs{generate_mesh(1, 1), generate_mesh(13, 11), generate_mesh(50, 20),
                            generate_tree(1, 200, 1)};
  for (int i = 0; i < 50; ++i) graphs.push_back(random_multigraph(rng));
  for (int i = 0; i < 50; ++i) graphs.push_back(generate_irregular(random_spec(rng)));
  graphs.push_back(generate_irregular({300, 300, 8, 0.5, rng.next(), RandomModel::kUniform}));
  for (const Graph& graph : graphs) {
    const SwitchDistances distances = switch_distances(graph);
    REQUIRE(distances.farthest.size() == graph.switches());
    std::uint64_t total = 0;
    std::uint64_t least = kUnreachable;
    SwitchId central = 0;
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      CAPTURE(graph.generator, s);
      const auto links = relaxed(graph, s);
      const std::uint64_t farthest = *std::ranges::max_element(links);
      REQUIRE(distances.farthest[s] == farthest);
      total += std::accumulate(links.begin(), links.end(), std::uint64_t{0});
      if (farthest < least) {
        least = farthest;
        central = s;
      }
    }
    CHECK(distances.total == total);
    CHECK(central_switch(distances) == central);
    CHECK(routing_root(graph) == central);
  }
}

static std::vector<std::uint32_t> sizes_of(const std::vector<std::uint32_t>& part,
                                           std::uint32_t parts) {
  std::vector<std::uint32_t> sizes(parts, 0);
  for (const std::uint32_t p : part) ++sizes.at(p);
  return sizes;
}

TEST_CASE("halves of a mesh are cut straight", "[topology]") {
  CHECK(links_cut(generate_mesh(12, 12),
                  divide(generate_mesh(12, 12), std::vector<std::uint32_t>{72, 72})) == 12);
}

TEST_CASE("parts have the sizes that are asked for, or nearly", "[topology]") {
  const Graph graph = generate_mesh(10, 10);
  for (const auto& wanted :
       std::vector<std::vector<std::uint32_t>>{{100},
                                               {50, 50},
                                               {40, 60},
                                               {20, 40, 40},
                                               {0, 34, 33, 33},
                                               {4, 12, 12, 12, 12, 12, 12, 12, 12},
                                               {100, 0}}) {
    const auto sizes = sizes_of(divide(graph, wanted), static_cast<std::uint32_t>(wanted.size()));
    for (std::size_t p = 0; p < wanted.size(); ++p) {
      CAPTURE(wanted, sizes);
      CHECK(std::max(sizes[p], wanted[p]) - std::min(sizes[p], wanted[p]) <= 1);
    }
  }
}

TEST_CASE("few links of an irregular network are cut", "[topology]") {
  const Graph graph = generate_irregular({300, 1024, 8, 0.75, 1, RandomModel::kUniform});
  const auto cut = [&](std::uint32_t parts) {
    const std::vector<std::uint32_t> sizes(parts, 300 / parts);
    return 100.0 * links_cut(graph, divide(graph, sizes)) / graph.links().size();
  };
  CHECK(cut(2) < 10.0);  // at random 50
  CHECK(cut(10) < 23.0);
}
