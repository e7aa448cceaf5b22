// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim_cpp/run/deaths/death_runs.hpp"
#include "sim_cpp/run/random_run.hpp"

namespace muster::run {

/// Groups that outlive their switches and members, docs/reliability.md.
namespace {

using test::square_subject;

TEST_CASE("without a free register in the new tree the group stops and says so",
          "[workload][death][retry]") {
  RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), true);
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

/// Random networks, groups and losses of any kind, docs/reliability.md.
using topology::Graph;

/// Draws 4 to 16 switches with three nodes each.
Graph random_graph(Random& rng) {
  return test::random_network(rng, 4, 16, 8, [](std::uint32_t switches) { return 3 * switches; });
}

/// Of anything, in any cycle of the run or a little later.
Death random_death(Random& rng, const Graph& graph) {
  Death death{.cycle = 10 + rng.below(4000)};
  const std::uint64_t kind = rng.below(4);
  death.node = kind == 0;
  death.link = kind == 1;
  death.reset = kind == 2;
  const std::size_t links = graph.links().size() + graph.nodes();
  death.id = rng.below(death.node ? graph.nodes() : (death.link ? links : graph.switches()));
  return death;
}

/// 1 to 3 groups and 1 to 4 losses, no part twice; hosts at once or slow, members at once or late.
RunSpec random_spec(Random& rng, const test::Subject& subject) {
  RunSpec spec = test::recovery_spec(subject, rng.next(), rng.below(2) != 0);
  spec.groups.clear();
  for (std::uint64_t g = 1 + rng.below(3); g != 0; --g) {
    const std::uint32_t size = 2 + rng.below(subject.graph.nodes() - 1);
    spec.groups.push_back(test::random_group(subject.graph, size, rng));
  }
  spec.barriers = 5 + rng.below(30);
  spec.spread = rng.below(2) == 0 ? 0 : rng.below(600);
  if (rng.below(3) == 0) spec.load_flits = 0.0;
  if (rng.below(3) == 0) {
    spec.profile.send = rng.below(200);
    spec.profile.receive = rng.below(200);
  }
  spec.links.drop = rng.below(3) == 0 ? 0.02 : 0.0;
  auto& retries = run::own<btin::Spec>(spec).retries;
  retries = {.period = 20 + rng.below(100), .suspect_after = 2000};
  std::set<std::tuple<bool, bool, std::uint32_t>> taken;
  for (std::uint64_t d = 1 + rng.below(4); d != 0; --d) {
    const Death death = random_death(rng, subject.graph);
    if (taken.insert({death.node, death.link, death.id}).second) spec.deaths.push_back(death);
  }
  std::ranges::sort(spec.deaths, [](const Death& a, const Death& b) { return a.cycle < b.cycle; });
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
    if (std::ranges::any_of(result.casualties.groups_hit,
                            [&](const Casualties::Group& hit) { return hit.group == g; }))
      continue;
    CHECK(std::ranges::count_if(result.barriers, [&](const BarrierRecord& b) {
            return b.group == g && !b.failed;
          }) == spec.barriers);
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
  std::size_t recovered = 0, failed = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    Random rng(muster_seed(), i);
    const test::Subject subject{random_graph(rng)};
    const RunSpec spec = random_spec(rng, subject);
    CAPTURE(i, subject.graph.switches(), spec.groups.size(), deaths_text(spec));
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

TEST_CASE("survivors go on, whatever switch or node dies or is reset at any time",
          "[workload][death][retry]") {
  const std::uint64_t cycle = GENERATE(20, 150, 155, 400, 633);
  const bool reflect = GENERATE(false, true);
  const Graph& graph = square_subject().graph;
  for (const auto& [node, reset] : {std::pair{true, false}, {false, false}, {false, true}})
    for (std::uint32_t id = 0; id < (node ? 8u : 4u); ++id) {
      CAPTURE(cycle, reflect, node, reset, id);
      RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), reflect);
      spec.deaths = {{.node = node, .id = id, .cycle = cycle, .reset = reset}};
      const RunResult result = run_barriers(spec);
      check_run(spec, graph, result);
      // Every member that is dead, and no other, is lost; of a switch that was reset not a barrier.
      for (const auto& r : result.casualties.recovered) {
        std::vector<std::uint32_t> dead;
        for (const topology::NodeId n : spec.groups[r.group].members)
          if (!test::lives(graph, spec.deaths, n)) dead.push_back(n);
        CHECK((r.lost == dead || !r.stopped.empty()));
        CHECK_FALSE((reset && (r.failed_barrier || !r.recovered)));
      }
    }
}

TEST_CASE("of two parts of a network with as many members that with the lowest switch goes on",
          "[workload][death][retry]") {
  const bool reflect = GENERATE(false, true);
  CAPTURE(reflect);
  RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), reflect);
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
  const std::uint64_t gap = GENERATE(0, 3, 50, 200);
  CAPTURE(gap);
  RunSpec spec = test::recovery_spec(square_subject(), muster_seed(), true);
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
