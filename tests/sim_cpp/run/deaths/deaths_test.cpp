// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/deaths/death_runs.hpp"

namespace muster::run {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
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

TEST_CASE("every switch and every node may die at any time, and the others go on",
          "[workload][death]") {
  const auto [scheme, cycle] = GENERATE(table<std::string, std::uint64_t>({{"btin", 0},
                                                                           {"btin", 20},
                                                                           {"btin", 150},
                                                                           {"btin", 400},
                                                                           {"btin", 633},
                                                                           {"unicast", 200},
                                                                           {"tree", 200},
                                                                           {"nic-gather", 200}}));
  for (const bool node : {false, true})
    for (std::uint32_t id = 0; id < (node ? 8u : 4u); ++id) {
      CAPTURE(muster_seed(), scheme, cycle, node, id);
      const Death death{.node = node, .id = id, .cycle = cycle};
      RunSpec spec = dying({death});
      spec.scheme = scheme;
      const RunResult result = test::passes(spec);
      CHECK(result.end == test::end_of(spec, square_subject().graph, result));
      const Casualties& casualties = result.casualties;
      REQUIRE(casualties.events.size() == 1);
      std::size_t hit = 0;
      for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
        CAPTURE(g);
        const bool whole = untouched(result, spec.groups[g].name);
        CHECK((whole || test::loses(spec, square_subject().graph, g, death)));
        if (whole) CHECK(barriers_of(result, g) == spec.barriers);
        if (!whole) CHECK(casualties.groups_hit.at(hit++).group == g);
      }
      CHECK(hit == casualties.groups_hit.size());
      for (const auto& group : casualties.groups_hit)
        CHECK(group.culprit == (node ? "n" : "sw") + std::to_string(id));
      REQUIRE(result.data);
      // Counted when no more were started; some were still to come.
      CHECK(casualties.packets_lost <= result.data->started - result.data->delivered);
    }
}

TEST_CASE("a death is detected by the ends behind its links, within the limit of replays",
          "[workload][death]") {
  RunSpec spec = dying({{.id = 2, .cycle = 300}});
  spec.min_cycles = 3000;
  const RunResult result = run_barriers(spec);
  // Two switches and two nodes are its neighbours; all of them have data for it.
  REQUIRE(result.casualties.detected.size() == 4);
  for (const Casualties::Detection& d : result.casualties.detected) {
    CHECK(d.block == "sw2");
    CHECK(d.reason == "the other end is silent");
    CHECK(d.cycles == d.cycle - 300);
    CHECK(d.cycles >= 9 * 16 - 16);
  }
  CHECK(result.casualties.packets_lost > 10);
}

/// To and from the nodes of three of the four switches.
struct PastSwitch : Pattern {
  explicit PastSwitch(std::uint32_t sw) : first(2 * sw) {}
  std::uint32_t destination(std::uint32_t node, Rng& rng) const override {
    while (true) {
      const auto to = static_cast<std::uint32_t>(rng.below(8));
      if (to != node && to != first && to != first + 1) return to;
    }
  }
  std::uint32_t first;
};

TEST_CASE("packets of survivors are led around a dead switch", "[workload][death]") {
  const std::uint64_t seed = muster_seed();
  const std::uint32_t dead = GENERATE(range(0u, 4u));
  CAPTURE(seed, dead);
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

TEST_CASE("if the rest is not connected the routes stay, and the result says so",
          "[workload][death]") {
  RunSpec spec = test::figure1().spec({"paper"});
  spec.links.retry = true;
  spec.load_flits = 0.3 * test::figure1().route_bound();
  spec.deaths = {{.id = 8, .cycle = 300}};  // which alone joins switch 2 to the others
  spec.min_cycles = 4000;
  const RunResult result = test::completes(spec);
  REQUIRE(result.casualties.rerouted.size() == 1);
  CHECK_FALSE(result.casualties.rerouted[0].connected);
  CHECK(result.casualties.rerouted[0].held == 0);
}

TEST_CASE("a run in which nothing dies is as it was, and deaths after its end do not happen",
          "[workload][death]") {
  RunSpec spec = test::death_spec(square_subject());
  const std::string digest = run_barriers(spec).digest;
  spec.deaths = {{.id = 2, .cycle = kMostCycles}};
  const RunResult result = run_barriers(spec);
  CHECK(result.digest == digest);
  CHECK(result.casualties.events.empty());
  CHECK(result.casualties.packets_lost == 0);
  CHECK(result.casualties.untouched.size() == spec.groups.size());
}

TEST_CASE("a switch that was reset is taken back, and packets go through it again",
          "[workload][death]") {
  const std::uint64_t seed = muster_seed(), cycle = GENERATE(5, 100, 350, 500);
  const std::uint32_t id = GENERATE(range(0u, 4u));
  CAPTURE(seed, cycle, id);
  RunSpec spec = dying({{.id = id, .cycle = cycle, .reset = true}});
  spec.min_cycles = 8000;
  const RunResult result = test::passes(spec);
  REQUIRE(result.casualties.events.size() == 1);
  REQUIRE(result.casualties.events[0].again);
  CHECK(*result.casualties.events[0].again < cycle + 4000);
  CHECK(result.wires->down.empty());
  for (std::uint32_t g = 0; g < 4; ++g)
    if (!test::loses(spec, square_subject().graph, g, spec.deaths[0]))
      CHECK(barriers_of(result, g) == spec.barriers);
}

TEST_CASE("links restart at any flit of the packets on them, and none is mixed with another",
          "[workload][death]") {
  const std::uint64_t seed = muster_seed();
  Rng rng(seed, 40);
  for (int round = 0; round < 40; ++round) {
    RunSpec spec = test::death_spec(square_subject(), seed + static_cast<std::uint64_t>(round));
    spec.load_flits = 0.9 * square_subject().route_bound();
    spec.packet_length = 3 + static_cast<std::uint32_t>(rng.below(30));
    for (std::uint64_t cycle = 200; spec.deaths.size() < 3; cycle += 900 + rng.below(100))
      spec.deaths.push_back({.id = static_cast<std::uint32_t>(rng.below(4)),
                             .cycle = cycle + rng.below(300),
                             .reset = true});
    spec.min_cycles = 5000;
    CAPTURE(seed, round, spec.packet_length);
    const RunResult result = test::passes(spec);
    for (const auto& event : result.casualties.events) CHECK(event.again);
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

TEST_CASE("several deaths and resets at once, on links that lose frames, end",
          "[workload][death]") {
  const std::uint64_t seed = muster_seed();
  CAPTURE(seed);
  RunSpec spec = test::death_spec(square_subject());
  spec.links.drop = spec.links.corrupt = 0.02;
  spec.deaths = {{.id = 1, .cycle = 300, .reset = true},
                 {.id = 0, .cycle = 320},
                 {.node = true, .id = 5, .cycle = 200},
                 {.id = 2, .cycle = 900, .reset = true},
                 {.id = 1, .cycle = 1500}};
  const RunResult result = test::passes(spec);
  CHECK(result.casualties.events.size() == 5);
  CHECK(barriers_of(result, 3) == spec.barriers);
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

TEST_CASE("a run whose groups stopped is not ok, and says what they lost and what helps",
          "[workload][death]") {
  RunSpec spec = dying({{.node = true, .id = 4, .cycle = 150}});
  const RunResult result = test::passes(spec);
  CHECK(result.end == End::kStopped);
  CHECK_FALSE(result.ok());
  REQUIRE(result.stopped.size() == 2);
  CHECK_THAT(result.stopped[0], StartsWith("group 'n4,n5' stopped after ") &&
                                    EndsWith(" of 12 barriers: it lost n4 in cycle 150; with "
                                             "--retry its survivors continue"));
  CHECK_THAT(result.stopped[1], StartsWith("group 'all' stopped after "));
  CHECK_THAT(run_to_text(spec, result), Contains("\nstopped      group 'all' stopped after "));
  // Of those that packets release there are no survivors that could continue.
  spec.scheme = "unicast";
  const RunResult packets = run_barriers(spec);
  CHECK(packets.end == End::kStopped);
  CHECK_THAT(packets.stopped.at(0), EndsWith("it lost n4 in cycle 150"));
}

TEST_CASE("a group without survivors stops, and no option would help", "[workload][death]") {
  RunSpec spec = test::death_spec(square_subject());
  spec.groups = {{"gone", {4, 5}}, {"kept", {0, 1}}};
  spec.deaths = {{.id = 2, .cycle = 150}};
  const RunResult result = run_barriers(spec);
  CHECK(result.end == End::kStopped);
  REQUIRE(result.stopped.size() == 1);
  CHECK_THAT(result.stopped[0], EndsWith("it lost sw2 in cycle 150"));
}

TEST_CASE("groups whose switches cannot repeat messages stop without a hint at --retry",
          "[workload][death]") {
  for (const bool many : {false, true}) {
    CAPTURE(many);
    RunSpec spec = test::death_spec(square_subject());
    spec.config.reset();
    btin::Spec& own = run::own<btin::Spec>(spec);
    (many ? own.many : own.serial) = true;
    spec.deaths = {{.node = true, .id = 4, .cycle = 150}};
    const RunResult result = run_barriers(spec);
    CHECK(result.end == End::kStopped);
    CHECK_THAT(result.stopped.at(0), EndsWith("it lost n4 in cycle 150"));
    own.retry = true;
    CHECK_THROWS_WITH(run_barriers(spec), Contains(many ? "--many: " : "--serial: "));
  }
}

TEST_CASE("any link may be cut at any time, and the others go on", "[workload][death]") {
  const std::uint64_t seed = muster_seed();
  const std::uint64_t cycle = GENERATE(9, 150);
  const auto* scheme = GENERATE("btin", "unicast", "tree", "nic-dissemination");
  const auto links = static_cast<std::uint32_t>(square_subject().graph.links().size());
  for (std::uint32_t id = 0; id < links + square_subject().graph.nodes(); ++id) {
    CAPTURE(seed, cycle, scheme, id);
    RunSpec spec = test::death_spec(square_subject());
    spec.scheme = scheme;
    spec.deaths = {{.id = id, .cycle = cycle, .link = true}};
    const RunResult result = test::passes(spec);
    CHECK(result.end == test::end_of(spec, square_subject().graph, result));
    // The first four groups stay within a switch each, and need links of their nodes only.
    for (std::uint32_t g = 0; g < 4; ++g)
      if (id < links || (id - links) / 2 != g) CHECK(untouched(result, spec.groups[g].name));
    for (const Casualties::Detection& d : result.casualties.detected)
      CHECK(d.block == result.casualties.detected.front().block);
  }
}

TEST_CASE("a group whose tree uses a cut link stops, and the link is named", "[workload][death]") {
  RunSpec spec = test::figure1().spec({"paper"});
  spec.links.retry = true;
  spec.max_wait = 2000;
  spec.deaths = {{.id = 3, .cycle = 300, .link = true}};  // 1:1 - 3:1, an edge of the tree
  const RunResult result = test::passes(spec);
  REQUIRE(result.casualties.groups_hit.size() == 1);
  CHECK(result.casualties.groups_hit[0].culprit == "1:1-3:1");
  CHECK_FALSE(result.casualties.groups_hit[0].complete);
  // One end has repeated without an answer; the other had nothing to say and was put down by the
  // manager.
  REQUIRE(result.casualties.detected.size() == 2);
  CHECK(result.casualties.detected[1].reason == "killed by the host");
}

TEST_CASE("a link that goes down unasked is named before what it has cut short",
          "[workload][death]") {
  RunSpec spec = test::figure1().by("unicast", {"paper"});
  spec.links.retry = true;
  spec.links.ack_drop = 1.0;  // no acknowledgement comes that a flit does not carry
  const RunResult result = run_barriers(spec);
  CHECK(result.end == End::kHang);
  CHECK_THAT(test::breach_of(result), Contains("down: "));
  CHECK(result.wires->acks_dropped > 0);
}

TEST_CASE("links outlast a jammer of half of all acknowledgements", "[workload][death]") {
  RunSpec spec = test::death_spec(square_subject());
  spec.links.ack_drop = 0.5;
  const RunResult result = test::completes(spec);
  CHECK(result.wires->acks_dropped > 100);
}

}  // namespace

}  // namespace muster::run
