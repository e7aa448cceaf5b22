// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "sim_cpp/run/deaths/death_runs.hpp"
#include "support/random.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using test::square_subject;
using test::Subject;

/// On the square, with these deaths.
RunSpec dying(std::vector<Death> deaths) {
  RunSpec spec = test::death_spec(square_subject());
  spec.deaths = std::move(deaths);
  return spec;
}

std::uint32_t barriers_of(const RunResult& result, std::uint32_t group) {
  return static_cast<std::uint32_t>(
      std::count_if(result.barriers.begin(), result.barriers.end(),
                    [&](const BarrierRecord& b) { return b.group == group; }));
}
bool untouched(const RunResult& result, const std::string& group) {
  const auto& names = result.casualties.untouched;
  return std::count(names.begin(), names.end(), group) != 0;
}

/// Switches, nodes, and links: of each the deaths in this cycle.
std::vector<Death> deaths_at(std::uint64_t cycle) {
  const topology::Graph& graph = square_subject().graph;
  std::vector<Death> all;
  for (std::uint32_t id = 0; id < graph.switches(); ++id) all.push_back({.id = id, .cycle = cycle});
  for (std::uint32_t id = 0; id < graph.nodes(); ++id)
    all.push_back({.node = true, .id = id, .cycle = cycle});
  for (std::uint32_t id = 0; id < graph.links().size() + graph.nodes(); ++id)
    all.push_back({.id = id, .cycle = cycle, .link = true});
  return all;
}

TEST_CASE("any switch, node or link may be lost at any time, and the others go on",
          "[workload][death]") {
  const auto [scheme, cycle] = GENERATE(table<std::string, std::uint64_t>({{"btin", 0},
                                                                           {"btin", 20},
                                                                           {"btin", 150},
                                                                           {"btin", 400},
                                                                           {"btin", 633},
                                                                           {"unicast", 200},
                                                                           {"tree", 200},
                                                                           {"nic-gather", 200}}));
  const topology::Graph& graph = square_subject().graph;
  const auto links = static_cast<std::uint32_t>(graph.links().size());
  for (const Death& death : deaths_at(cycle)) {
    CAPTURE(scheme, cycle, death.node, death.link, death.id);
    RunSpec spec = dying({death});
    spec.scheme = scheme;
    const RunResult result = test::passes(spec);
    CHECK(result.end == test::end_of(spec, graph, result));
    const Casualties& casualties = result.casualties;
    REQUIRE(casualties.events.size() == 1);
    std::size_t hit = 0;
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      CAPTURE(g);
      // The first four groups stay within a switch each, and need links of their nodes only.
      const bool may = death.link ? g == 4 || (death.id >= links && (death.id - links) / 2 == g)
                                  : test::loses(spec, graph, g, death);
      const bool whole = untouched(result, spec.groups[g].name);
      CHECK((whole || may));
      if (whole) CHECK(barriers_of(result, g) == spec.barriers);
      if (!whole) CHECK(casualties.groups_hit.at(hit++).group == g);
    }
    CHECK(hit == casualties.groups_hit.size());
    if (!death.link)
      for (const auto& group : casualties.groups_hit)
        CHECK(group.culprit == (death.node ? "n" : "sw") + std::to_string(death.id));
    REQUIRE(result.data);
    // Counted when no more were started; some were still to come.
    CHECK(casualties.packets_lost <= result.data->started - result.data->delivered);
    for (const Casualties::Detection& d : casualties.detected)
      CHECK(d.block == casualties.detected.front().block);
  }
}

/// To and from the nodes of three of the four switches.
struct PastSwitch : Pattern {
  explicit PastSwitch(std::uint32_t sw) : first(2 * sw) {}
  std::uint32_t destination(std::uint32_t node, Rng& rng) const override {
    while (true) {
      const std::uint32_t to = rng.below(8);
      if (to != node && to != first && to != first + 1) return to;
    }
  }
  std::uint32_t first;
};

TEST_CASE("packets of survivors are led around a dead switch", "[workload][death]") {
  const std::uint32_t dead = GENERATE(range(0u, 4u));
  CAPTURE(dead);
  RunSpec spec = dying({{.id = dead, .cycle = 300},
                        {.node = true, .id = 2 * dead, .cycle = 300},
                        {.node = true, .id = 2 * dead + 1, .cycle = 300}});
  spec.pattern = std::make_shared<PastSwitch>(dead);
  spec.min_cycles = 6000;
  const RunResult result = test::passes(spec);
  REQUIRE(result.casualties.rerouted.size() == 1);
  const Casualties::Rerouting& rerouted = result.casualties.rerouted[0];
  CHECK(rerouted.connected);
  CHECK(rerouted.held >= rerouted.first_down + 1024);
  CHECK(rerouted.empty > rerouted.held);
  CHECK(rerouted.again > rerouted.empty);
  CHECK(rerouted.words > 0);
  // Those sent later all arrive.
  const std::uint64_t lost = result.casualties.packets_lost;
  spec.min_cycles = 12000;
  const RunResult longer = run_barriers(spec);
  CHECK(longer.casualties.packets_lost == lost);
  CHECK(longer.data->delivered > result.data->delivered + 100);
}

TEST_CASE("a link end that waits for nothing from the dead is shut by the manager",
          "[workload][death]") {
  RunSpec spec = dying({{.id = 0, .cycle = 300}});
  spec.load_flits = 0;
  std::set<std::string> reasons;
  for (const Casualties::Detection& d : test::passes(spec).casualties.detected)
    reasons.insert(d.reason);
  CHECK(reasons ==
        std::set<std::string>{"the manager shut the link end", "the other end is silent"});
}

TEST_CASE("links restart at any flit of the packets on them, and none is mixed with another",
          "[workload][death]") {
  const std::uint64_t seed = muster_seed();
  Random rng(seed, 40);
  for (int round = 0; round < 40; ++round) {
    RunSpec spec = test::death_spec(square_subject(), seed + static_cast<std::uint64_t>(round));
    spec.load_flits = 0.9 * square_subject().route_bound();
    spec.packet_length = 3 + rng.below(30);
    for (std::uint64_t cycle = 200; spec.deaths.size() < 3; cycle += 900 + rng.below(100))
      spec.deaths.push_back({.id = rng.below(4), .cycle = cycle + rng.below(300), .reset = true});
    spec.min_cycles = 5000;
    CAPTURE(round, spec.packet_length);
    const RunResult result = test::passes(spec);
    for (const auto& event : result.casualties.events)
      CHECK(event.again.value_or(~std::uint64_t{0}) < event.death.cycle + 4000);
    CHECK(result.wires->down.empty());
  }
}

TEST_CASE("a group that is between two barriers when its switch is reset goes on",
          "[workload][death]") {
  // Members arrive long after the switch has been taken back.
  const Subject subject{test::star(3)};
  RunSpec spec = subject.spec({"all"});
  spec.links.retry = true;
  spec.barriers = 3;
  ListedArrivals::List list{{{500, 500, 500}, {9000, 9000, 9000}, {20000, 20000, 20000}}};
  spec.arrivals = std::make_shared<ListedArrivals>(list);
  spec.deaths = {{.id = 0, .cycle = 800, .reset = true}};
  const RunResult result = test::completes(spec);
  REQUIRE(result.casualties.groups_hit.size() == 1);
  CHECK(result.casualties.groups_hit[0].complete);
}

TEST_CASE("nodes that are cut off send into a switch whose routes are old, and the run ends",
          "[workload][death]") {
  // The routes of the two dead switches form a loop through each other.
  const Subject subject{topology::generate_mesh(4, 4)};
  RunSpec spec = subject.spec({"n0,n1"}, 690);
  spec.links.retry = true;
  spec.load_flits = 0.3;
  spec.min_cycles = 6000;
  spec.deaths = {{.id = 11, .cycle = 255}, {.id = 6, .cycle = 2006}};
  const RunResult result = test::passes(spec);
  CHECK(result.casualties.rerouted.size() == 2);
}

TEST_CASE("a link that goes down beside a death is a violation as before", "[workload][death]") {
  RunSpec spec = test::death_spec(square_subject(), 1);
  spec.deaths = {{.id = 0, .cycle = 300}};
  // Channel 2 leads from switch 1 to switch 2.
  spec.links.flaps = {{2, 400, kMostCycles}};
  const RunResult result = run_barriers(spec);
  CHECK_THAT(test::breach_of(result), Contains("down: ") && !Contains("-> 0:"));
}

}  // namespace

}  // namespace muster::run
