// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/binomial_tree.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"

namespace muster::packets {
namespace {

using List = std::vector<std::uint32_t>;

TEST_CASE("eight members, the third the root: by distances of 4, 2 and 1 in cyclic order",
          "[barrier][tree]") {
  const topology::Graph graph = topology::generate_mesh(4, 2);
  std::vector<topology::NodeId> all{0, 1, 2, 3, 4, 5, 6, 7};
  const BinomialTree tree = plan_binomial_tree(graph, all, 2);
  CHECK(tree.root == 2);
  CHECK(tree.children[2] == List{6, 4, 3});
  CHECK(tree.children[6] == List{0, 7});
  CHECK(tree.children[0] == List{1});
  CHECK(tree.children[4] == List{5});
  CHECK(tree.parent == List{6, 0, 2, 2, 2, 4, 2, 6});
}

TEST_CASE("members of a switch are side by side, and all are reached in log2 n steps",
          "[barrier][tree]") {
  topology::Graph graph;  // nodes alternate between three switches
  for (int s = 0; s < 3; ++s) graph.add_switch(8);
  graph.add_link({0, 0}, {1, 0});
  graph.add_link({1, 1}, {2, 0});
  for (std::uint32_t n = 0; n < 15; ++n) graph.add_node({n % 3, 2 + n / 3});
  for (std::uint32_t count = 1; count <= 15; ++count) {
    CAPTURE(count);
    std::vector<topology::NodeId> members;
    for (std::uint32_t n = 0; n < count; ++n) members.push_back(n);
    const BinomialTree tree = plan_binomial_tree(graph, members, count / 2);
    std::uint32_t edges = 0;
    for (std::uint32_t m = 0; m < count; ++m) {
      // Told in the step after the parent's, counted by its earlier children.
      std::uint32_t steps = 0, at = m;
      for (; at != tree.root; at = tree.parent[at]) {
        const auto& siblings = tree.children[tree.parent[at]];
        const auto place = std::find(siblings.begin(), siblings.end(), at);
        REQUIRE(place != siblings.end());
        steps += static_cast<std::uint32_t>(place - siblings.begin()) + 1;
      }
      CHECK(steps <= static_cast<std::uint32_t>(std::bit_width(count - 1)));
      edges += static_cast<std::uint32_t>(tree.children[m].size());
    }
    CHECK(edges == count - 1);
  }
  const std::vector<topology::NodeId> all{0, 1, 2, 3, 4, 5, 6, 7};
  // By switch: 0 3 6, 1 4 7, 2 5; the odd places are told by their neighbour.
  const BinomialTree tree = plan_binomial_tree(graph, all, 0);
  CHECK(tree.parent == List{0, 6, 4, 0, 0, 2, 0, 4});
}

TEST_CASE("a root that is not a member is refused", "[barrier][tree][errors]") {
  const topology::Graph graph = topology::generate_mesh(2, 2);
  const std::vector<topology::NodeId> members{0, 1};
  CHECK_THROWS_AS(plan_binomial_tree(graph, members, 3), InputError);
  CHECK_THROWS_AS(plan_binomial_tree(graph, {}, 0), InputError);
}

}  // namespace
}  // namespace muster::packets
