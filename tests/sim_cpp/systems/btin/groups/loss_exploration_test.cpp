// SPDX-License-Identifier: Apache-2.0
// docs/systems/lost-messages.md, "What is proved".
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "sim_cpp/systems/btin/groups/exploration_search.hpp"

namespace muster::btin {
namespace {

using Ends = std::set<std::string>;
constexpr std::size_t kMost = 1'000'000;

TEST_CASE("a creation on two switches is done or leaves nothing, whatever two packets are lost",
          "[groups][exploration][loss]") {
  Exploration enough(row({1, 1}), 1, {{1, {0, 1}, {}}}, {2, 1});
  CHECK(enough.run(kMost) == "");
  CHECK(enough.outcomes() == Ends{"a"});
  CHECK(enough.states() > 150'000);
  Exploration none(row({1, 1}), 0, {{1, {0, 1}, {}}}, {2, 1});
  CHECK(none.run(kMost) == "");
  CHECK(none.outcomes() == Ends{"n"});
  CHECK(none.states() > 10'000);
}

TEST_CASE("so is one with a switch between, which the home node of that switch sets up",
          "[groups][exploration][loss]") {
  Exploration enough(row({1, 1, 1}), 1, {{1, {0, 2}, {true}}}, {1, 0});
  CHECK(enough.run(kMost) == "");
  CHECK(enough.outcomes() == Ends{"a"});
  CHECK(enough.states() > 200'000);
}

TEST_CASE("of two creations that want the last registers one is done, whatever packet is lost",
          "[groups][exploration][loss]") {
  Exploration both(row({1, 1}), 1, {{0, {0, 1}, {}}, {1, {0, 1}, {true}}}, {1, 0});
  CHECK(both.run(kMost) == "");
  CHECK(both.outcomes() == Ends{"an", "na"});
  CHECK(both.states() > 150'000);
}

TEST_CASE("the search finds what is broken on purpose", "[groups][exploration][loss]") {
  const auto one = [](Hazards hazards) {
    return Exploration(row({1, 1}), 1, {{1, {0, 1}, {}}}, hazards).run(kMost);
  };
  CHECK(one({1, 0, Broken::kNoRepeats}) == "no member learns the outcome of a group");
  CHECK(one({0, 1, Broken::kNoNumbers}) == "not all members are told, once");
  // Two groups, whose root nodes are on one switch: each may find a register on one of two
  // switches.
  const auto two = [](Hazards hazards) {
    return Exploration(row({2, 2}), 1, {{0, {0, 2}, {}}, {1, {1, 3}, {}}}, hazards).run(kMost);
  };
  const char* const half = "a group is valid at one switch and has no place at another";
  CHECK(two({}) == "");
  CHECK(two({0, 0, Broken::kDeafToRefusal}) == half);
  CHECK(two({0, 0, Broken::kBlindWrites}) == half);
}

}  // namespace
}  // namespace muster::btin
