// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/register_plan.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "figure1.hpp"
#include "muster/core/error.hpp"
#include "random_network.hpp"
#include "support/seed.hpp"

using namespace muster;
using namespace muster::btin;
using namespace muster::topology;

using Catch::Matchers::Contains;

namespace {

btin::PlannedGroup group(const Graph& graph, std::uint32_t gid,
                         const std::vector<NodeId>& members) {
  return {"g" + std::to_string(gid), gid, false, btin::plan_tree(graph, members)};
}

}  // namespace

TEST_CASE("Groups take the lowest free register of each switch, in their order", "[plan]") {
  const Graph graph = figure1_graph();
  const NodeId at0 = graph.node_at({0, 3}).value(), at3 = graph.node_at({3, 4}).value(),
               at6 = graph.node_at({6, 2}).value();
  const std::vector<btin::PlannedGroup> groups{group(graph, 7, {at0, at3}),
                                               group(graph, 2, {at3, at6})};
  CHECK(btin::registers_needed(groups) == std::vector<std::uint32_t>{1, 0, 0, 2, 0, 0, 1, 0, 0});
  const btin::RegisterPlan plan = btin::plan_registers(groups, 2);
  CHECK(plan.used == btin::registers_needed(groups));
  REQUIRE(plan.slots.size() == 4);
  for (const btin::RegisterSlot& slot : plan.slots) {
    CHECK(slot.image.gid == groups[slot.group].gid);
    CHECK(slot.slot == (slot.group == 1 && slot.image.sw == 3 ? 1u : 0u));
  }
}

TEST_CASE("More groups on a switch than registers is refused, naming group, switch and remedy",
          "[plan][input]") {
  const Graph graph = figure1_graph();
  const auto members = figure1_members(graph);
  const std::vector<btin::PlannedGroup> groups{group(graph, 0, members), group(graph, 1, members)};
  CHECK(btin::plan_registers(groups, 2).slots.size() == 14);
  CHECK_THROWS_AS(btin::plan_registers(groups, 1), muster::InputError);
  CHECK_THROWS_WITH(
      btin::plan_registers(groups, 1),
      Contains("group 'g1'") && Contains("switch 3") && Contains("has 1 and all groups need 2") &&
          Contains("fewer simultaneous groups") && Contains("configuration with more registers"));
}

TEST_CASE("A group of one needs no register", "[plan]") {
  const Graph graph = figure1_graph();
  const std::vector<btin::PlannedGroup> groups{group(graph, 0, {4}), group(graph, 1, {4})};
  CHECK(btin::plan_registers(groups, 0).slots.empty());
  CHECK(btin::plan_registers({}, 1).used.empty());
}

TEST_CASE("Group identifiers must differ and fit", "[plan][input]") {
  const Graph graph = figure1_graph();
  std::vector<btin::PlannedGroup> groups{group(graph, 3, {0, 9}), group(graph, 3, {20, 25})};
  groups[1].name = "second";
  CHECK_THROWS_WITH(btin::plan_registers(groups, 4),
                    Contains("'g3' and 'second'") && Contains("identifier 3"));
  groups[1].gid = 256;
  CHECK(btin::plan_registers(groups, 4, 256).slots.size() > 2);
  CHECK_THROWS_WITH(btin::plan_registers(groups, 4, 255), Contains("'second'") && Contains("256"));
}

TEST_CASE("No two groups share a register, and no switch keeps more than it needs",
          "[plan][random]") {
  const auto seed = muster_seed();
  CAPTURE(seed);
  for (std::uint64_t round = 0; round < 100; ++round) {
    CAPTURE(round);
    muster::Rng rng(seed, 40'000 + round);
    const Graph graph = random_network(rng);
    std::vector<btin::PlannedGroup> groups;
    for (std::uint32_t g = 0; g < 1 + round % 6; ++g)
      groups.push_back(group(graph, g, random_group(graph, rng)));
    const auto needed = btin::registers_needed(groups);
    const std::uint32_t most = *std::max_element(needed.begin(), needed.end());
    const btin::RegisterPlan plan = btin::plan_registers(groups, most);
    REQUIRE(plan.used == needed);
    std::set<std::pair<SwitchId, std::uint32_t>> taken;
    for (const btin::RegisterSlot& slot : plan.slots) {
      REQUIRE(slot.slot < needed[slot.image.sw]);
      REQUIRE(taken.insert({slot.image.sw, slot.slot}).second);
    }
    if (most > 0) REQUIRE_THROWS_AS(btin::plan_registers(groups, most - 1), muster::InputError);
  }
}
