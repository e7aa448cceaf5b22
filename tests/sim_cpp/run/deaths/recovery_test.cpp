// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>
#include <tuple>

#include "sim_cpp/run/deaths/death_runs.hpp"
#include "sim_cpp/run/random_run.hpp"

namespace muster::run {

/// Groups that outlive their switches and members, docs/systems/recovery.md.
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test::square_subject;
using test::Subject;

/// On the square, with these deaths.
RunSpec outlived(std::vector<Death> deaths, bool reflect = true) {
  RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), reflect);
  spec.deaths = std::move(deaths);
  return spec;
}

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
  const std::uint64_t seed = muster_seed();
  const std::uint64_t cycle = GENERATE(20, 150, 155, 400, 633);
  const bool reflect = GENERATE(false, true);
  for (const bool node : {false, true})
    for (std::uint32_t id = 0; id < (node ? 8u : 4u); ++id) {
      CAPTURE(seed, cycle, reflect, node, id);
      RunSpec spec = outlived({{.node = node, .id = id, .cycle = cycle}}, reflect);
      check_survivors(spec, run_barriers(spec), square_subject().graph);
    }
}

TEST_CASE("survivors of several deaths go on", "[workload][death][retry]") {
  const std::uint64_t seed = muster_seed();
  const std::uint64_t gap = GENERATE(0, 50, 450, 700, 1500);
  for (const bool reflect : {false, true}) {
    CAPTURE(seed, gap, reflect);
    RunSpec spec = test::recovery_spec(square_subject(), seed, reflect);
    spec.barriers = 40;
    spec.deaths = {{.id = 2, .cycle = 200},
                   {.node = true, .id = 0, .cycle = 200 + gap},
                   {.node = true, .id = 7, .cycle = 200 + 2 * gap}};
    check_survivors(spec, run_barriers(spec), square_subject().graph);
  }
}

TEST_CASE("after a reset of a switch its groups go on, and no barrier has failed",
          "[workload][death][retry]") {
  const std::uint64_t seed = muster_seed();
  const std::uint64_t cycle = GENERATE(20, 150, 401, 633);
  for (const bool reflect : {false, true})
    for (std::uint32_t id = 0; id < 4; ++id) {
      CAPTURE(seed, cycle, reflect, id);
      RunSpec spec = outlived({{.id = id, .cycle = cycle, .reset = true}}, reflect);
      const RunResult result = run_barriers(spec);
      check_survivors(spec, result, square_subject().graph);
      for (const auto& r : result.casualties.recovered) {
        CHECK(r.recovered);
        CHECK_FALSE(r.failed_barrier);
      }
      for (std::uint32_t g = 0; g < spec.groups.size(); ++g)
        CHECK(std::count_if(result.barriers.begin(), result.barriers.end(),
                            [&](const BarrierRecord& b) { return b.group == g; }) == spec.barriers);
    }
}

TEST_CASE("a group finds out by a suspect register, fails one barrier, and does all others",
          "[workload][death][retry]") {
  RunSpec spec = outlived({{.node = true, .id = 3, .cycle = 300}});
  const RunResult result = run_barriers(spec);
  CHECK(result.ok());
  CHECK(result.stopped.empty());
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
    run::own<btin::Spec>(spec).root = 0;
    spec.deaths = {{.id = of_root ? 0u : 2u, .cycle = 150}};
    const RunResult result = test::passes(spec);
    CHECK(result.ok());
    REQUIRE(result.casualties.recovered.size() == 1);
    CHECK(result.casualties.recovered[0].lost.size() == (of_root ? 0u : 3u));
    const auto& slots = run::own<btin::Result>(result).registers;
    REQUIRE_FALSE(slots.empty());
    CHECK((slots.front().image.sw == 0) == !of_root);
    CHECK(slots.front().image.reflect);
  }
}

TEST_CASE("a member that is late is asked after, and nothing fails", "[workload][retry]") {
  RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), true);
  spec.spread = 3000;
  const RunResult result = test::passes(spec);
  CHECK(result.casualties.recovered.empty());
  CHECK(run::own<btin::Result>(result).retries->inquiries > 0);
}

TEST_CASE("a group whose recovery takes longer than --max-wait stops and says so",
          "[workload][death][retry]") {
  RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), true);
  spec.groups = {{"all", {0, 1, 2, 3, 4, 5, 6, 7}}};
  spec.load_flits = 0.0;
  spec.deaths = {{.node = true, .id = 3, .cycle = 150}};
  const RunResult whole = run_barriers(spec);
  REQUIRE(whole.casualties.recovered.size() == 1);
  const Casualties::Recovery& recovery = whole.casualties.recovered.front();
  // The group is given up halfway between its suspicion and its recovery.
  spec.max_wait = (recovery.suspect + *recovery.recovered) / 2 - 150;
  const RunResult result = test::passes(spec);
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
  RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), false);
  spec.groups = {{"gone", {4, 5}}};
  spec.load_flits = 0.0;
  spec.deaths = {{.id = 2, .cycle = 100}};
  const RunResult result = test::passes(spec);
  REQUIRE(result.casualties.groups_hit.size() == 1);
  CHECK_FALSE(result.casualties.groups_hit[0].complete);
  CHECK(result.end == End::kStopped);
}

TEST_CASE("without a free register in the new tree the group stops and says so",
          "[workload][death][retry]") {
  const std::uint64_t seed = muster_seed();
  RunSpec spec = test::recovery_spec(square_subject(), seed, true);
  // The tree of switches 1, 2 and 3; without switch 2 it would need switch 0, which is full.
  spec.config = run::configuration("sw8r");
  spec.groups = {{"upper", {2, 3, 4, 5, 6, 7}}};
  for (std::uint32_t g = 0; g < spec.config->regs; ++g)
    spec.groups.push_back({"lower" + std::to_string(g), {0, 1}});
  spec.load_flits = 0.0;
  spec.deaths = {{.id = 2, .cycle = 100}};
  const RunResult result = test::passes(spec);
  REQUIRE(result.casualties.recovered.size() == 1);
  CHECK(result.casualties.recovered[0].stopped == "switch 0 has no free barrier register");
  CHECK(result.casualties.untouched.size() == spec.config->regs);
}

/// Random networks, groups and losses of any kind, docs/systems/recovery.md.
using topology::Graph;

/// Draws 4 to 16 switches with three nodes each.
Graph random_graph(Rng& rng) {
  return test::random_network(rng, 4, 16, 8, [](std::uint32_t switches) { return 3 * switches; });
}

/// Of anything, in any cycle of the run or a little later.
Death random_death(Rng& rng, const Graph& graph) {
  Death death{.cycle = 10 + rng.below(4000)};
  const std::uint64_t kind = rng.below(4);
  death.node = kind == 0;
  death.link = kind == 1;
  death.reset = kind == 2;
  const std::size_t links = graph.links().size() + graph.nodes();
  death.id = static_cast<std::uint32_t>(
      rng.below(death.node ? graph.nodes() : (death.link ? links : graph.switches())));
  return death;
}

/// 1 to 3 groups and 1 to 4 losses, no part twice; hosts at once or slow, members at once or late.
RunSpec random_spec(Rng& rng, const Subject& subject) {
  RunSpec spec = test::recovery_spec(subject, rng.next(), rng.below(2) != 0);
  spec.groups.clear();
  for (std::uint64_t g = 1 + rng.below(3); g != 0; --g) {
    const auto size = static_cast<std::uint32_t>(2 + rng.below(subject.graph.nodes() - 1));
    spec.groups.push_back(test::random_group(subject.graph, size, rng));
  }
  spec.barriers = static_cast<std::uint32_t>(5 + rng.below(30));
  spec.spread = rng.below(2) == 0 ? 0 : rng.below(600);
  if (rng.below(3) == 0) spec.load_flits = 0.0;
  if (rng.below(3) == 0) {
    spec.profile.send = rng.below(200);
    spec.profile.receive = rng.below(200);
  }
  auto& retries = run::own<btin::Spec>(spec).retries;
  retries = {.period = static_cast<std::uint32_t>(20 + rng.below(100)), .suspect_after = 2000};
  std::set<std::tuple<bool, bool, std::uint32_t>> taken;
  for (std::uint64_t d = 1 + rng.below(4); d != 0; --d) {
    const Death death = random_death(rng, subject.graph);
    if (taken.insert({death.node, death.link, death.id}).second) spec.deaths.push_back(death);
  }
  std::sort(spec.deaths.begin(), spec.deaths.end(),
            [](const Death& a, const Death& b) { return a.cycle < b.cycle; });
  return spec;
}

/// Members that a group has in the end are alive and in one part, and all that were lost are
/// neither of these; unless the run was over before they died.
void check_members(const RunSpec& spec, const Graph& graph, const RunResult& result,
                   const Casualties::Group& hit) {
  std::set<std::uint32_t> lost;
  bool stopped = false;
  for (const auto& r : result.casualties.recovered)
    if (r.group == hit.group) {
      lost.insert(r.lost.begin(), r.lost.end());
      stopped |= !r.stopped.empty();
    }
  const std::set<std::uint32_t> inhabited =
      test::inhabited_parts(graph, spec.deaths, spec.groups[hit.group].members);
  if (!hit.complete) CHECK((stopped || inhabited.empty()));
  if (stopped || !hit.recovered) return;
  for (const std::uint32_t n : lost)
    CHECK((!test::lives(graph, spec.deaths, n) || inhabited.size() > 1));
}

/// Every number of a record is one of this run.
void check_records(const RunResult& result) {
  for (const BarrierRecord& b : result.barriers) {
    CHECK(b.latency_cycles <= result.cycles);
    CHECK(b.exit_skew_cycles <= result.cycles);
    CHECK(b.distribution_cycles <= b.latency_cycles);
  }
  std::uint64_t before = 0;
  for (const auto& r : result.casualties.recovered) {
    CHECK(r.cause <= r.suspect);
    CHECK(before <= r.suspect);
    CHECK(r.recovered.value_or(r.suspect) >= r.suspect);
    CHECK(r.recovered.has_value() == r.stopped.empty());
    before = r.suspect;
  }
}

void check_run(const RunSpec& spec, const Graph& graph, const RunResult& result) {
  for (const std::string& violation : result.violations) FAIL_CHECK(violation);
  CHECK(result.end == test::end_of(spec, graph, result));
  check_records(result);
  for (const Casualties::Group& hit : result.casualties.groups_hit)
    check_members(spec, graph, result, hit);
  // A group that lost nothing has done all its barriers, and none has failed.
  CHECK(result.casualties.groups_hit.size() + result.casualties.untouched.size() ==
        spec.groups.size());
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
    if (std::any_of(result.casualties.groups_hit.begin(), result.casualties.groups_hit.end(),
                    [&](const Casualties::Group& hit) { return hit.group == g; }))
      continue;
    CHECK(std::count_if(result.barriers.begin(), result.barriers.end(),
                        [&](const BarrierRecord& b) { return b.group == g && !b.failed; }) ==
          spec.barriers);
  }
}

/// "sw3@500 reset", for messages of failed checks.
std::string deaths_text(const RunSpec& spec) {
  std::string text;
  for (const Death& d : spec.deaths)
    text += fmt::format("{}{}@{}{} ", d.node ? "n" : (d.link ? "link " : "sw"), d.id, d.cycle,
                        d.reset ? " reset" : "");
  return text;
}

void run_random(std::uint64_t runs) {
  const std::uint64_t seed = muster_seed();
  std::size_t recovered = 0, failed = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    Rng rng(seed, i);
    const Subject subject{random_graph(rng)};
    const RunSpec spec = random_spec(rng, subject);
    CAPTURE(seed, i, subject.graph.switches(), spec.groups.size(), deaths_text(spec));
    const RunResult result = run_barriers(spec);
    check_run(spec, subject.graph, result);
    for (const auto& r : result.casualties.recovered) {
      recovered += r.recovered.has_value() ? 1 : 0;
      failed += r.failed_barrier.has_value() ? 1 : 0;
    }
  }
  CHECK(recovered > runs / 4);
  CHECK(failed > runs / 8);
}

TEST_CASE("random groups on random networks survive random losses",
          "[workload][death][retry][random]") {
  run_random(40);
}

TEST_CASE("thousands of random groups survive random losses",
          "[workload][death][retry][random][soak]") {
  run_random(4000);
}

TEST_CASE("of two parts of a network with as many members that with the lowest switch goes on",
          "[workload][death][retry]") {
  const std::uint64_t seed = muster_seed();
  const bool reflect = GENERATE(false, true);
  CAPTURE(seed, reflect);
  RunSpec spec = test::recovery_spec(square_subject(), seed, reflect);
  // Of switches 0 and 1, and of 2 and 3.
  spec.deaths = {{.id = 0, .cycle = 200, .link = true}, {.id = 2, .cycle = 200, .link = true}};
  const RunResult result = run_barriers(spec);
  check_run(spec, square_subject().graph, result);
  CHECK(result.casualties.untouched.size() == 4);
  std::vector<std::uint32_t> lost;
  for (const auto& r : result.casualties.recovered)
    lost.insert(lost.end(), r.lost.begin(), r.lost.end());
  CHECK(lost == std::vector<std::uint32_t>{2, 3, 4, 5});
}

TEST_CASE("a switch is begun anew although one of its links is cut meanwhile",
          "[workload][death][retry]") {
  const std::uint64_t seed = muster_seed();
  const std::uint64_t gap = GENERATE(0, 3, 50, 200);
  CAPTURE(seed, gap);
  RunSpec spec = test::recovery_spec(square_subject(), seed, true);
  spec.barriers = 30;
  spec.deaths = {{.id = 1, .cycle = 300, .reset = true},
                 {.id = 1, .cycle = 300 + gap, .link = true}};
  const RunResult result = run_barriers(spec);
  check_run(spec, square_subject().graph, result);
  for (const auto& r : result.casualties.recovered) CHECK(r.lost.empty());
  REQUIRE_FALSE(result.casualties.events.empty());
  CHECK(result.casualties.events.front().again);
}

}  // namespace

}  // namespace muster::run
