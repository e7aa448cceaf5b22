// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/baseline_paths.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace muster::packets {
namespace {

/// Three switches in a row with two nodes each: 0 - 1 - 2, routes up and down along it.
struct Row {
  topology::Graph graph;
  topology::Routes routes{0, 0};
  Row() {
    for (int s = 0; s < 3; ++s) graph.add_switch(4);
    graph.add_link({0, 0}, {1, 0});
    graph.add_link({1, 1}, {2, 0});
    for (topology::SwitchId s = 0; s < 3; ++s)
      for (std::uint32_t port : {2u, 3u}) graph.add_node({s, port});
    routes = topology::routes_for(graph);
  }
  BaselinePaths paths(std::uint32_t worm_addresses = 64) const {
    const std::vector<topology::NodeId> members{0, 1, 3, 4, 5};
    return baseline_paths(graph, routes, members, 0, worm_addresses);
  }
};

TEST_CASE("the routes of five members to the end of a row", "[analysis][baselines]") {
  const BaselinePaths paths = Row().paths();
  CHECK(paths.others == 4);
  CHECK(paths.hops_up == 2 + 3 + 4 + 4);
}

TEST_CASE("a worm goes over each link once", "[analysis][baselines]") {
  CHECK(Row().paths().worms == 1);
  // Out of n0, to n1; over 0-1 to n3; over 1-2 to n4 and n5.
  CHECK(Row().paths().hops_worms == 1 + 1 + 2 + 3);
  CHECK(Row().paths(2).worms == 2);
  CHECK(Row().paths(2).hops_worms == (1 + 1 + 2) + (1 + 4));
  CHECK(Row().paths(1).hops_worms == Row().paths().hops_up);
}

}  // namespace
}  // namespace muster::packets
