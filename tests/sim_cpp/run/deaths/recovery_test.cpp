// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "sim_cpp/run/deaths/death_runs.hpp"
#include "support/seed.hpp"

/// Groups that outlive their switches and members, docs/systems/recovery.md.

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test::Subject;

std::vector<const Casualties::Recovery*> recoveries_of(const RunResult& result,
                                                       std::uint32_t group) {
  std::vector<const Casualties::Recovery*> found;
  for (const Casualties::Recovery& r : result.casualties.recovered)
    if (r.group == group) found.push_back(&r);
  return found;
}

/// What each run must keep, whatever dies: no violation, and each group that has two members left
/// in one part of the network does all its barriers.
void check_survivors(const RunSpec& spec, const RunResult& result, const topology::Graph& graph) {
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  CHECK(result.end == test::end_of(spec, graph, result));
  const auto dead = [&](topology::NodeId n) {
    return std::any_of(spec.deaths.begin(), spec.deaths.end(), [&](const Death& d) {
      return !d.reset && (d.node ? d.id == n : d.id == graph.node(n).at.sw);
    });
  };
  for (const Casualties::Group& hit : result.casualties.groups_hit) {
    const auto& members = spec.groups[hit.group].members;
    CAPTURE(spec.groups[hit.group].name, hit.culprit);
    const bool all = std::all_of(members.begin(), members.end(), dead);
    CHECK(hit.complete == !all);
    if (all) continue;
    // Every member that is dead, and no other, is lost.
    std::vector<std::uint32_t> lost, expected;
    for (const auto* recovery : recoveries_of(result, hit.group))
      lost.insert(lost.end(), recovery->lost.begin(), recovery->lost.end());
    for (const topology::NodeId n : members)
      if (dead(n)) expected.push_back(n);
    std::sort(lost.begin(), lost.end());
    CHECK(lost == expected);
    CHECK(hit.recovered);
  }
}

TEST_CASE("survivors go on, whatever switch or node dies at any time", "[workload][death][retry]") {
  const Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  const std::uint64_t cycle = GENERATE(20, 150, 155, 400, 633);
  const bool reflect = GENERATE(false, true);
  for (const bool node : {false, true})
    for (std::uint32_t id = 0; id < (node ? 8u : 4u); ++id) {
      CAPTURE(seed, cycle, reflect, node, id);
      RunSpec spec = test::recovery_spec(subject, seed, reflect);
      spec.deaths = {{.node = node, .id = id, .cycle = cycle}};
      check_survivors(spec, run_barriers(spec), subject.graph);
    }
}

TEST_CASE("survivors of several deaths go on", "[workload][death][retry]") {
  const Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  const std::uint64_t gap = GENERATE(0, 50, 450, 700, 1500);
  for (const bool reflect : {false, true}) {
    CAPTURE(seed, gap, reflect);
    RunSpec spec = test::recovery_spec(subject, seed, reflect);
    spec.barriers = 40;
    spec.deaths = {{.id = 2, .cycle = 200},
                   {.node = true, .id = 0, .cycle = 200 + gap},
                   {.node = true, .id = 7, .cycle = 200 + 2 * gap}};
    check_survivors(spec, run_barriers(spec), subject.graph);
  }
}

TEST_CASE("after a reset of a switch its groups go on, and no barrier has failed",
          "[workload][death][retry]") {
  const Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  const std::uint64_t cycle = GENERATE(20, 150, 401, 633);
  for (const bool reflect : {false, true})
    for (std::uint32_t id = 0; id < 4; ++id) {
      CAPTURE(seed, cycle, reflect, id);
      RunSpec spec = test::recovery_spec(subject, seed, reflect);
      spec.deaths = {{.id = id, .cycle = cycle, .reset = true}};
      const RunResult result = run_barriers(spec);
      check_survivors(spec, result, subject.graph);
      for (const auto& r : result.casualties.recovered) {
        CHECK(r.recovered);
        CHECK_FALSE(r.failed_barrier);
      }
      for (std::uint32_t g = 0; g < spec.groups.size(); ++g)
        CHECK(std::count_if(result.barriers.begin(), result.barriers.end(),
                            [&](const BarrierRecord& b) { return b.group == g; }) == spec.barriers);
    }
}

TEST_CASE("a group finds out by a suspect register, and fails one barrier",
          "[workload][death][retry]") {
  const Subject subject{test::square()};
  RunSpec spec = test::recovery_spec(subject, muster_seed(), true);
  spec.deaths = {{.node = true, .id = 3, .cycle = 300}};
  const RunResult result = run_barriers(spec);
  REQUIRE(result.casualties.recovered.size() == 2);
  for (const auto& r : result.casualties.recovered) {
    CHECK(r.lost == std::vector<std::uint32_t>{3});
    CHECK(r.cause == 300);
    CHECK(r.suspect >= 300 + 400 - 100);
    CHECK(r.suspect <= 300 + 2 * (400 + 60) + 64);
    REQUIRE(r.recovered);
    REQUIRE(r.failed_barrier);
    CHECK(r.epoch == 1);
  }
  CHECK(result.casualties.untouched.size() == 3);
}

TEST_CASE("the run is complete if a recovered group has done all of its barriers",
          "[workload][death][retry]") {
  const Subject subject{test::square()};
  RunSpec spec = test::recovery_spec(subject, muster_seed(), true);
  spec.deaths = {{.node = true, .id = 3, .cycle = 300}};
  const RunResult result = run_barriers(spec);
  CHECK(result.ok());
  CHECK(result.stopped.empty());
  CHECK(result.casualties.recovered.size() == 2);
}

TEST_CASE("a root that was chosen by hand stays while the survivors reach it",
          "[workload][death][retry]") {
  // The nodes are at switches 1 to 3 alone; switch 0 reflects for them.
  topology::Graph graph;
  for (int s = 0; s < 4; ++s) graph.add_switch(6);
  for (std::uint32_t s = 1; s < 4; ++s) graph.add_link({0, s}, {s, 0});
  for (std::uint32_t s = 1; s < 4; ++s) graph.add_link({s, 1}, {s % 3 + 1, 2});
  for (std::uint32_t s = 1; s < 4; ++s)
    for (std::uint32_t p = 3; p < 6; ++p) graph.add_node({s, p});
  const Subject subject{graph};
  for (const bool of_root : {false, true}) {
    CAPTURE(of_root);
    RunSpec spec = test::recovery_spec(subject, muster_seed(), true);
    spec.groups = {{"all", {0, 1, 2, 3, 4, 5, 6, 7, 8}}};
    spec.parts.make<btin::Spec>().root = 0;
    spec.deaths = {{.id = of_root ? 0u : 2u, .cycle = 150}};
    const RunResult result = run_barriers(spec);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    CHECK(result.ok());
    REQUIRE(result.casualties.recovered.size() == 1);
    CHECK(result.casualties.recovered[0].lost.size() == (of_root ? 0u : 3u));
    const auto& slots = result.parts.get<btin::Result>().registers;
    REQUIRE_FALSE(slots.empty());
    CHECK((slots.front().image.sw == 0) == !of_root);
    CHECK(slots.front().image.reflect);
  }
}

TEST_CASE("a member that is late is asked after, and nothing fails", "[workload][retry]") {
  const Subject subject{test::square()};
  RunSpec spec = test::recovery_spec(subject, muster_seed(), true);
  spec.spread = 3000;
  const RunResult result = run_barriers(spec);
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.casualties.recovered.empty());
  CHECK(result.parts.get<btin::Result>().retries->inquiries > 0);
}

TEST_CASE("a group whose recovery takes longer than --max-wait stops and says so",
          "[workload][death][retry]") {
  const Subject subject{test::square()};
  RunSpec spec = test::recovery_spec(subject, muster_seed(), true);
  spec.groups = {{"all", {0, 1, 2, 3, 4, 5, 6, 7}}};
  spec.load_flits = 0.0;
  spec.deaths = {{.node = true, .id = 3, .cycle = 150}};
  const RunResult whole = run_barriers(spec);
  REQUIRE(whole.casualties.recovered.size() == 1);
  const Casualties::Recovery& recovery = whole.casualties.recovered.front();
  // The group is given up halfway between its suspicion and its recovery.
  spec.max_wait = (recovery.suspect + *recovery.recovered) / 2 - 150;
  const RunResult result = run_barriers(spec);
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.end == End::kStopped);
  CHECK_THAT(result.stopped.at(0),
             Contains("it was given up after --max-wait " + std::to_string(spec.max_wait) +
                      " cycles, while its recovery was under way; raise --max-wait"));
  // And before it was suspected.
  spec.max_wait = 100;
  CHECK_THAT(run_barriers(spec).stopped.at(0),
             EndsWith("it lost n3 in cycle 150; with a longer --max-wait its survivors continue"));
}

TEST_CASE("a group whose members and switches are all dead stops, and the run ends",
          "[workload][death][retry]") {
  const Subject subject{test::square()};
  RunSpec spec = test::recovery_spec(subject, muster_seed(), false);
  spec.groups = {{"gone", {4, 5}}};
  spec.load_flits = 0.0;
  spec.deaths = {{.id = 2, .cycle = 100}};
  const RunResult result = run_barriers(spec);
  CHECK(result.violations == std::vector<std::string>{});
  REQUIRE(result.casualties.groups_hit.size() == 1);
  CHECK_FALSE(result.casualties.groups_hit[0].complete);
  CHECK(result.end == End::kStopped);
}

TEST_CASE("without a free register in the new tree the group stops and says so",
          "[workload][death][retry]") {
  const Subject subject{test::square()};
  const std::uint64_t seed = muster_seed();
  RunSpec spec = test::recovery_spec(subject, seed, true);
  // The tree of switches 1, 2 and 3; without switch 2 it would need switch 0, which is full.
  spec.config = run::configuration("sw8r");
  spec.groups = {{"upper", {2, 3, 4, 5, 6, 7}}};
  for (std::uint32_t g = 0; g < spec.config->regs; ++g)
    spec.groups.push_back({"lower" + std::to_string(g), {0, 1}});
  spec.load_flits = 0.0;
  spec.deaths = {{.id = 2, .cycle = 100}};
  const RunResult result = run_barriers(spec);
  CHECK(result.violations == std::vector<std::string>{});
  REQUIRE(result.casualties.recovered.size() == 1);
  CHECK(result.casualties.recovered[0].stopped == "switch 0 has no free barrier register");
  CHECK(result.casualties.untouched.size() == spec.config->regs);
}

}  // namespace
}  // namespace muster::run
