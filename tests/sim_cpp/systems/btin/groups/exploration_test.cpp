// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "sim_cpp/systems/btin/groups/exploration_search.hpp"

namespace muster::btin {
namespace {

using Outcomes = std::set<std::string>;

TEST_CASE("one creation, in every order of its messages, is done or leaves nothing",
          "[groups][exploration]") {
  for (const bool reflect : {false, true}) {
    // Two member switches and one between without members, whose home node is asked.
    Exploration enough(row({2, 1, 1}), 1, {{3, {0, 1, 3}, {reflect}}});
    CHECK(enough.run(200'000).empty());
    CHECK(enough.outcomes() == Outcomes{"a"});
    Exploration none(row({2, 1, 1}), 0, {{3, {0, 1, 3}, {reflect}}});
    CHECK(none.run(200'000).empty());
    CHECK(none.outcomes() == Outcomes{"n"});
    CHECK(enough.states() > 2000);
  }
}

TEST_CASE("two creations that want the same registers, in every order, are done or leave nothing",
          "[groups][exploration]") {
  SECTION("with no member in common") {
    Exploration both(row({2, 2}), 1, {{0, {0, 2}, {}}, {1, {1, 3}, {}}});
    CHECK(both.run(100'000).empty());
    CHECK(both.outcomes() == Outcomes{"an", "na", "nn"});
    CHECK(both.states() > 10'000);
  }
  SECTION("of the same members") {
    Exploration both(row({1, 1}), 1, {{0, {0, 1}, {}}, {1, {0, 1}, {true}}});
    CHECK(both.run(100'000).empty());
    // Their requests come to each switch from the same node, in the same order.
    CHECK(both.outcomes() == Outcomes{"an", "na"});
    CHECK(both.states() > 2000);
  }
  SECTION("of the same members, by the same home node at the switch between") {
    Exploration both(row({1, 1, 1}), 1, {{0, {0, 2}, {}}, {1, {0, 2}, {true}}});
    CHECK(both.run(300'000).empty());
    CHECK(both.outcomes() == Outcomes{"an", "na"});
    CHECK(both.states() > 50'000);
  }
  SECTION("and there are enough") {
    Exploration both(row({2, 2}), 2, {{0, {0, 2}, {}}, {1, {1, 3}, {}}});
    CHECK(both.run(100'000).empty());
    CHECK(both.outcomes() == Outcomes{"aa"});
  }
}

}  // namespace
}  // namespace muster::btin
