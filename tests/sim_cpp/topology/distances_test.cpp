// SPDX-License-Identifier: Apache-2.0
#include "topology/distances.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "muster/topology/routes.hpp"
#include "sim_cpp/topology/sample_networks.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::topology;

TEST_CASE("distances are those of one search for each switch", "[topology][distances]") {
  CAPTURE(muster_seed());
  Rng rng(muster_seed(), 22);
  std::vector<Graph> graphs{generate_mesh(1, 1), generate_mesh(13, 11), generate_tree(1, 200, 1)};
  for (int i = 0; i < 50; ++i) graphs.push_back(random_multigraph(rng));
  for (int i = 0; i < 50; ++i) graphs.push_back(generate_irregular(random_spec(rng)));
  graphs.push_back(generate_irregular({300, 300, 8, 0.5, rng.next(), RandomModel::kUniform}));
  for (const Graph& graph : graphs) {
    const std::vector<Distances> distances = switch_distances(graph);
    REQUIRE(distances.size() == graph.switches());
    std::uint32_t least = kUnreachable, central = 0;
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      CAPTURE(graph.generator, s);
      const auto level = bfs_levels(graph, s);
      const std::uint32_t farthest = *std::max_element(level.begin(), level.end());
      REQUIRE(distances[s].farthest == farthest);
      REQUIRE(distances[s].total == std::accumulate(level.begin(), level.end(), std::uint64_t{0}));
      if (farthest < least) {
        least = farthest;
        central = s;
      }
    }
    CHECK(central_switch(distances) == central);
    CHECK(routing_root(graph) == central);
  }
}
