// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/barrier_tree.hpp"

#include <catch2/catch.hpp>

#include "sim_cpp/fabric/checkers/stage.hpp"

namespace muster::checkers {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("without reflection the root node is the top of the tree", "[checkers][barrier_tree]") {
  const Stage stage;
  const auto tree = barrier_tree({7, {0, 2, 3}, 0, false, {{1, 0}}}, stage.graph, stage.layout);
  REQUIRE(tree.size() == 5);
  CHECK((tree[0].member && tree[0].id == 0 && tree[0].children == 1));
  CHECK((!tree[1].member && tree[1].id == 0 && tree[1].children == 1));
  CHECK((tree[1].upward == Stage::kToN0 && tree[1].parent == 0));
  CHECK((tree[2].id == 1 && tree[2].upward == Stage::kBack && tree[2].parent == 1));
  CHECK(tree[2].children == 2);
  CHECK((tree[3].member && tree[3].upward == Stage::kFromN2 && tree[3].parent == 2));
  CHECK((tree[4].member && tree[4].upward == Stage::kFromN3 && tree[4].parent == 2));
}

TEST_CASE("a root switch that reflects is the top, its root node a member like others",
          "[checkers][barrier_tree]") {
  const Stage stage;
  const auto tree = barrier_tree({7, {0, 2}, 0, true, {{1, 0}}}, stage.graph, stage.layout);
  REQUIRE(tree.size() == 4);
  CHECK((!tree[0].member && tree[0].id == 0 && tree[0].children == 2));
  CHECK((tree[1].id == 1 && tree[1].children == 1 && tree[1].parent == 0));
  CHECK((tree[2].member && tree[2].upward == Stage::kFromN0 && tree[2].parent == 0));
}

TEST_CASE("a group that contradicts the graph is refused", "[checkers][barrier_tree]") {
  const Stage stage;
  const auto refused = [&](const Group& group) {
    return report_of([&] { barrier_tree(group, stage.graph, stage.layout); });
  };
  CHECK_THAT(refused({7, {1, 2}, 0, false, {{1, 0}}}),
             Contains("group 7: the root node n0 is not"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {}}), Contains("switch 1 is not part of it"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {{1, 1}}}), Contains("1:1 leads to no switch"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {{1, 3}}}), Contains("1:3 leads to no switch"));
  CHECK_THAT(refused({7, {0, 2}, 0, false, {{1, 0}, {1, 0}}}),
             Contains("switch 1 has two parents"));
}

}  // namespace
}  // namespace muster::checkers
