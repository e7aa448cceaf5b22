// SPDX-License-Identifier: Apache-2.0
#include "muster/systems/packets.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "systems/packets/packet_schemes.hpp"

namespace muster::packets {
namespace {

/// Every barrier has taken these hops.
void check_hops(const run::RunResult& result, std::uint32_t hops) {
  for (const run::BarrierRecord& b : result.barriers) CHECK(b.hops == hops);
}

/// Cycles of a barrier of two members on one switch with node links of `latency`: all take as many.
std::uint64_t pair_latency(const char* scheme, const char* config, std::uint32_t latency) {
  const test::Subject subject(test::star(2, latency));
  run::RunSpec spec = subject.by(scheme, {"all"});
  spec.config = run::configuration(config);
  spec.config->depth = 16;
  spec.spread = 0;
  const run::RunResult result = test::passes(spec);
  check_hops(result, 4);
  for (const run::BarrierRecord& b : result.barriers)
    CHECK(b.latency_cycles == result.barriers[0].latency_cycles);
  return result.barriers.at(0).latency_cycles;
}

TEST_CASE("Figure 1 by unicasts: 13 routes there and back", "[workload][unicast]") {
  const test::Subject subject = test::Subject::figure1();
  const run::RunSpec spec = subject.by("unicast", {"paper"});
  const topology::NodeId root = topology::parse_group(subject.graph, "3:4", 1).front();
  std::uint32_t hops = 0;
  for (const topology::NodeId n : spec.groups[0].members)
    if (n != root)
      hops += topology::route_length(subject.graph, subject.routes, n, root) +
              topology::route_length(subject.graph, subject.routes, root, n);
  CHECK(hops == 88);
  check_hops(test::completes(spec), hops);
}

/// On one switch with nodes on links of latency L a packet of three flits takes 1 cycle into the
/// node's register, L + 3 through the switch, L - 1 on the last wire and 2 for its tail.
TEST_CASE("one switch, two members: a packet there and one back", "[workload][unicast]") {
  const std::uint32_t latency = GENERATE(1u, 2u, 4u);
  CAPTURE(latency);
  CHECK(pair_latency("unicast", "sw8", latency) == 2 * (1 + (latency + 3) + (latency - 1) + 2));
}

TEST_CASE("packets of several groups on random networks keep every property",
          "[workload][unicast][multicast][tree][unit][random]") {
  const auto& [scheme, own] = GENERATE(table<std::string, std::uint64_t>(
      {{"unicast", 7}, {"multicast", 13}, {"tree", 11}, {"star", 11}, {"tree-units", 23}}));
  const std::uint64_t seed = muster_seed() + own;
  for (std::uint64_t i = 0; i < 20; ++i) {
    test::RandomRun run(seed, i, 12);
    CAPTURE(seed, scheme, i, run.text());
    run.by(scheme);
    if (scheme == "multicast") run.spec.config = run::configuration("mc8");
    if (scheme == "multicast" && i % 3 == 0) run.spec.profile = run::find_profile("btin");
    if (scheme == "tree-units") {
      run.spec.config.reset();
      run.spec.own = {};
      run::own<Spec>(run.spec).unit_buffer = static_cast<std::uint32_t>(1 + i % 5);
    }
    test::completes_as_planned(run.spec);
  }
}

TEST_CASE("branches of a worm that part and meet again both take the links behind",
          "[workload][multicast]") {
  test::RandomRun run(20261127, 15, 12);  // a group of it has two branches in one switch
  run.by("multicast");
  run.spec.config = run::configuration("mc8");
  run.spec.profile = run::find_profile("btin");
  test::completes_as_planned(run.spec);
}

TEST_CASE("over a row of three switches a worm takes each link once, unicasts for each member",
          "[workload][unicast][multicast]") {
  topology::Graph row;
  for (int s = 0; s < 3; ++s) row.add_switch(4);
  row.add_link({0, 0}, {1, 0});
  row.add_link({1, 1}, {2, 0});
  for (topology::SwitchId s = 0; s < 3; ++s)
    for (std::uint32_t port : {2u, 3u}) row.add_node({s, port});
  const test::Subject subject(row);
  // To n3 in the middle from n0, n1, n4 and n5, three links each; back out of n3 and by both sides.
  run::RunSpec spec = subject.by("multicast", {"0:2,0:3,1:3,2:2,2:3"});
  CHECK(test::completes(spec).planned_hops == std::vector<std::uint32_t>{4 * 3 + 1 + 2 * 3});
  spec.scheme = "unicast";
  CHECK(test::completes(spec).planned_hops == std::vector<std::uint32_t>{2 * 4 * 3});
}

/// The arrival as by unicast; the worm L + 2 through the switch, two flits behind its address.
TEST_CASE("one switch, two members: a packet there and a worm back", "[workload][multicast]") {
  const std::uint32_t latency = GENERATE(1u, 2u, 4u);
  CAPTURE(latency);
  const std::uint64_t ends = 1 + (latency - 1) + 2;
  CHECK(pair_latency("multicast", "mc8", latency) == 2 * ends + (latency + 3) + (latency + 2));
}

TEST_CASE("groups of more than 64 take several worms", "[workload][multicast]") {
  const test::Subject subject(topology::generate_irregular(
      {.switches = 60, .nodes = 200, .ports = 8, .connectivity = 0.8, .seed = muster_seed()}));
  for (const char* group : {"random:65", "random:66", "all"})
    test::completes_as_planned(subject.by("multicast", {group}));
}

TEST_CASE("worms and units make the same run with and without skipping",
          "[workload][multicast][unit]") {
  const test::Subject subject = test::Subject::figure1();
  run::RunSpec spec = subject.by(GENERATE("multicast", "tree-units"), {"paper", "random:9"});
  spec.load_flits = 0.3 * subject.route_bound();
  spec.min_cycles = 3000;
  const std::string skipping = test::passes(spec).digest;
  spec.skip = false;
  CHECK(run::run_barriers(spec).digest == skipping);
}

run::RunSpec with(const test::Subject& subject, const std::vector<std::string>& groups) {
  run::RunSpec spec = subject.by(kUnitScheme, groups);
  spec.spread = 0;
  return spec;
}

TEST_CASE("members of one switch: two links each, released one after the other",
          "[workload][unit]") {
  const test::Subject subject(test::star(3));
  const run::RunResult result = test::completes(with(subject, {"all"}));
  for (const run::BarrierRecord& b : result.barriers) CHECK(b.hops == 6);
  CHECK(result.config.depth == 3);
  // An arrival: on the wires in 1 to 3, its route read in 2, its tail taken in 5; the origin takes
  // the first release in 6, which is on the wires in 8 to 10; the others follow in four cycles
  // each.
  CHECK(result.barriers[0].latency_cycles == 10 + 2 * 4);
}

TEST_CASE("units that combine in order hold messages back, and deadlock without room for them",
          "[workload][unit]") {
  const test::Subject subject(topology::generate_mesh(3, 3));
  run::RunSpec spec = with(subject, {"all"});
  run::own<Spec>(spec).unit = UnitTakes::kInOrder;
  run::own<Spec>(spec).unit_buffer = 2;
  spec.barriers = 300;
  test::completes(spec);
  run::own<Spec>(spec).unit_buffer = 1;
  const run::RunResult stuck = run::run_barriers(spec);
  CHECK(stuck.end == run::End::kHang);
  CHECK_THAT(test::breach_of(stuck), Contains("messages stand by"));
}

/// All 1200 members of a network of switches with three links, with the shortest buffers.
TEST_CASE("units that wait can deadlock, which the run reports, and units that absorb do not",
          "[workload][unit]") {
  const test::Subject subject(topology::generate_irregular(
      {.switches = 1200, .nodes = 1200, .ports = 4, .connectivity = 1.0, .seed = 1}));
  run::RunSpec spec = with(subject, {"all"});
  run::own<Spec>(spec).unit = UnitTakes::kIdle;
  spec.barriers = 2;
  spec.max_wait = 20'000;
  const run::RunResult stuck = run::run_barriers(spec);
  CHECK(stuck.end == run::End::kHang);
  CHECK_THAT(test::breach_of(stuck), Contains("makes no progress at barrier 0") &&
                                         Contains("switches more") && Contains("sends opcode"));
  run::own<Spec>(spec).unit = UnitTakes::kAlways;
  test::completes(spec);
}

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
        const auto place = std::ranges::find(siblings, at);
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

/// The schemes `tree` and `star`, and congestion.

using namespace run;

/// Of three nodes of a switch, the first the root of both others: an arrival of three flits, two
/// that follow each other, and as many releases.
TEST_CASE("three members on one switch", "[workload][tree]") {
  const test::Subject subject(test::star(3));
  for (const char* scheme : {"tree", "star"}) {
    RunSpec spec = subject.by(scheme, {"all"});
    spec.config = configuration("sw8");
    spec.config->depth = 16;
    spec.spread = 0;
    spec.barriers = 3;
    const RunResult result = test::passes(spec);
    for (const BarrierRecord& b : result.barriers)
      CHECK(b.hops == (scheme == std::string("tree") ? 12 : 8));
    // One way is 1 + (L + 3) + (L - 1) + 2 cycles. The second arrival is three behind the first,
    // the second release, whose route is read once the first has left its queue, four.
    CHECK(result.barriers[0].latency_cycles == 2 * 7 + 3 + 4);
  }
}

TEST_CASE("a host's times are paid once by each member in each barrier", "[workload][profile]") {
  const test::Subject subject(topology::generate_mesh(4, 4));
  for (const char* scheme : {"tree", "star", "bsr-1", "btin"}) {
    CAPTURE(scheme);
    const auto latency = [&](const char* profile) {
      RunSpec spec = subject.by(scheme, {"all"});
      spec.spread = 0;
      spec.barriers = 1;
      spec.profile = find_profile(profile);
      return test::passes(spec).barriers.at(0).latency_cycles;
    };
    CHECK(latency("ts-100") == latency("native") + 100);
    CHECK(latency("ts-1000") == latency("native") + 1000);
  }
}

TEST_CASE("held links hold packets, not barrier messages that preempt or never queue",
          "[workload][congestion]") {
  const test::Subject subject(topology::generate_mesh(5, 5));
  const auto latency = [&](const char* scheme, std::uint64_t cycles) {
    RunSpec spec = subject.by(scheme, {"random:9"});
    spec.spread = 0;
    spec.barriers = 8;
    spec.congestion = CongestionSpec{3, cycles};
    CAPTURE(scheme, cycles);
    return test::completes(spec).latency_mean;
  };
  for (const char* scheme : {"tree", "star", "tree-units"})
    CHECK(latency(scheme, 2000) > latency(scheme, 0) + 1500);
  CHECK(latency("btin", 2000) == latency("btin", 0));
  for (const char* scheme : {"bsr-1", "bsr-2"}) {  // a padding request, and a guard here and there
    CHECK(latency(scheme, 2000) > latency(scheme, 0));
    CHECK(latency(scheme, 2000) < latency(scheme, 0) + 20);
  }
  // Nothing is in the channels that III could follow; but they are free.
  CHECK(latency("bsr-3", 2000) > latency("bsr-3", 0) + 1500);
}

TEST_CASE("data that is held comes through afterwards, past all checkers",
          "[workload][congestion][random]") {
  const std::uint64_t seed = muster_seed();
  for (const char* scheme : {"tree", "btin", "multicast", "bsr-1", "bsr-2", "bsr-3"}) {
    CAPTURE(scheme);
    const test::Subject subject(topology::generate_irregular(
        {.switches = 20, .nodes = 30, .ports = 6, .connectivity = 0.8, .seed = seed}));
    RunSpec spec = subject.by(scheme, {"random:12", "random:5"}, seed);
    spec.load_flits = 0.2 * subject.route_bound();
    spec.min_cycles = 20'000;
    spec.congestion = CongestionSpec{3, 1500};
    CHECK(test::completes(spec).data->delivered > 100);
  }
}

}  // namespace
}  // namespace muster::packets
