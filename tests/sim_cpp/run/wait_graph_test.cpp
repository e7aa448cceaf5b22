// SPDX-License-Identifier: Apache-2.0
#include "run/wait_graph.hpp"

#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/fabric/home_nodes.hpp"
#include "sim_cpp/systems/btin/tree/figure1.hpp"
#include "sim_cpp/systems/btin/tree/random_network.hpp"
#include "support/seed.hpp"
#include "systems/btin/tree/register_plan.hpp"
#include "topology/routes/load.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

using Catch::Matchers::Contains;

namespace {

/// Two groups of a line of three switches, a node on each: 0 - 1 - 2, nodes on the last port.
Graph line() {
  Graph graph;
  for (int s = 0; s < 3; ++s) graph.add_switch(4);
  graph.add_link({0, 0}, {1, 0});
  graph.add_link({1, 1}, {2, 0});
  for (SwitchId s = 0; s < 3; ++s) graph.add_node({s, 3});
  return graph;
}

std::vector<btin::RegisterImage> images_of(const Graph& graph, const std::vector<NodeId>& members,
                                           std::uint32_t gid, bool reflect) {
  return btin::register_images(btin::plan_tree(graph, members), gid, reflect);
}

std::string cycle_of(const Graph& graph, const std::vector<btin::RegisterImage>& images) {
  return run::WaitGraph(graph, muster::topology::routes_for(graph), images).cycle();
}

}  // namespace

TEST_CASE("one barrier of Figure 1 waits for nothing that waits for it", "[waits][figure1]") {
  const Graph graph = figure1_graph();
  const auto routes = muster::topology::routes_for(graph);
  for (const bool reflect : {false, true}) {
    const auto images = images_of(graph, figure1_members(graph), 1, reflect);
    const run::WaitGraph waits(graph, routes, images);
    // 9 switches of 8 ports, a channel out of each node, 7 registers with two sides.
    CHECK(waits.vertices() == 9 * 8 + graph.nodes() + 7 * 2);
    CHECK(waits.cycle().empty());
    // Up: 6 child switches count twice, 14 members once; down: 6 twice; the root switch 3 or 1.
    const run::WaitGraph data(graph, routes, {});
    CHECK(waits.edges() - data.edges() ==
          (reflect ? 6 * 2 + 14 + 6 * 2 + 1 : 6 * 2 + 13 + 6 * 2 + 3));
  }
}

TEST_CASE("barriers of many groups on random networks wait for nothing that waits for them",
          "[waits][random]") {
  const std::uint64_t seed = muster_seed();
  for (std::uint64_t i = 0; i < 100; ++i) {
    CAPTURE(seed, i);
    muster::Rng rng(seed, i);
    const Graph graph = random_network(rng);
    std::vector<btin::RegisterImage> images;
    for (std::uint32_t gid = 0; gid < 20; ++gid) {
      const auto more = images_of(graph, random_group(graph, rng), gid, rng.below(2) != 0);
      images.insert(images.end(), more.begin(), more.end());
    }
    CHECK(cycle_of(graph, images) == "");
  }
}

TEST_CASE("registers that name each other as children are a dependency cycle", "[waits]") {
  const Graph graph = line();
  auto images = images_of(graph, {0, 1, 2}, 5, false);
  CHECK(cycle_of(graph, images).empty());
  // The root is switch 1; its child 0 now takes it for a child of its own.
  REQUIRE(images[0].sw == 1);
  REQUIRE(images[1].sw == 0);
  images[1].child_mask |= 1;
  CHECK_THAT(cycle_of(graph, images),
             Contains("group 5 up at switch 0") && Contains("group 5 up at switch 1"));
}

TEST_CASE("a distribution that comes back to its own switch is a dependency cycle", "[waits]") {
  const Graph graph = line();
  auto images = images_of(graph, {0, 1, 2}, 5, false);
  images[0].parent_port = 1;  // of the root switch: towards its child 2
  CHECK_THAT(cycle_of(graph, images),
             Contains("group 5 down at switch 1") && Contains("group 5 down at switch 2"));
}

TEST_CASE("routes with a loop are found with registers as without", "[waits]") {
  Graph ring;
  for (int s = 0; s < 3; ++s) ring.add_switch(3);
  for (SwitchId s = 0; s < 3; ++s) ring.add_link({s, 0}, {(s + 1) % 3, 1});
  for (SwitchId s = 0; s < 3; ++s) ring.add_node({s, 2});
  muster::topology::Routes clockwise(3, ring.destinations());
  for (SwitchId s = 0; s < 3; ++s)
    for (std::uint32_t d = 0; d < ring.destinations(); ++d)
      clockwise.set(s, d, d == s ? 4 : d == s + 3 ? 0 : 1);
  const auto images = images_of(ring, {0, 1, 2}, 0, true);
  CHECK_THAT(run::WaitGraph(ring, clockwise, images).cycle(), Contains("channel 0:0"));
}

TEST_CASE("a register that names an open port or a switch without a register is refused",
          "[waits]") {
  const Graph graph = line();
  const auto good = images_of(graph, {0, 1, 2}, 5, false);
  auto images = good;
  images[0].child_mask |= 1 << 2;
  CHECK_THROWS_WITH(cycle_of(graph, images), Contains("child port 2 of switch 1 is open"));
  images = good;
  images[1].parent_port = 2;
  CHECK_THROWS_WITH(cycle_of(graph, images), Contains("parent port 2 of switch 0 is open"));
  images = good;
  images.pop_back();
  CHECK_THROWS_WITH(cycle_of(graph, images), Contains("which has no register"));
}
