// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "muster/systems/packets.hpp"
#include "sim_cpp/run/random_run.hpp"
#include "systems/packets/packet_schemes.hpp"
#include "topology/route_walk.hpp"

namespace muster::packets {
namespace {

using Catch::Matchers::Contains;

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

TEST_CASE("a group of one is released when it arrives", "[workload][unicast]") {
  const test::Subject subject = test::Subject::figure1();
  const run::RunResult result = test::passes(subject.by("unicast", {"0:3"}));
  CHECK(result.latency_max == 0);
  check_hops(result, 0);
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

TEST_CASE("a hang names who has not arrived, or whose packet is missing", "[workload][unicast]") {
  const test::Subject subject = test::Subject::figure1();
  const fabric::Layout layout(subject.graph);
  run::RunSpec spec = subject.by("unicast", {"paper"});
  const topology::NodeId second = spec.groups[0].members[1];
  SECTION("a member never arrives") {
    spec.absent = {{0, 2, 3}};
    const run::RunResult result = run::run_barriers(spec);
    CHECK_THAT(test::breach_of(result), Contains("makes no progress at barrier 3") &&
                                            Contains("members that have not arrived: n2"));
    CHECK(result.barriers.size() == 3);
  }
  SECTION("an arrival is lost") {
    spec.stopped = {{layout.into_switch(second), 0, true, false}};
    spec.checkers = false;
    CHECK_THAT(test::breach_of(spec),
               Contains("makes no progress at barrier 0") &&
                   Contains("arrival packets that the root node has not got from: n1"));
  }
  SECTION("a release is lost") {
    spec.scheme = GENERATE("unicast", "multicast");
    spec.stopped = {{layout.into_node(second), 0, true, false}};
    CHECK_THAT(test::breach_of(spec), Contains("release packets that have not reached: n1"));
  }
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

TEST_CASE("Figure 1 by worms takes fewer hops than by unicasts", "[workload][multicast]") {
  const test::Subject subject = test::Subject::figure1();
  const run::RunResult result = test::completes(subject.by("multicast", {"paper"}));
  check_hops(result, 64);
  CHECK(result.planned_hops == std::vector<std::uint32_t>{64});
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

TEST_CASE("what unicasts and worms cannot do is refused",
          "[workload][unicast][multicast][errors]") {
  const test::Subject subject = test::Subject::figure1();
  const auto refused = [&](const char* scheme, const char* reason,
                           const std::function<void(run::RunSpec&)>& change) {
    run::RunSpec spec = subject.by(scheme, {"paper"});
    change(spec);
    CHECK_THROWS_WITH(run::run_barriers(spec), Contains(reason));
  };
  refused("unicast", "--barrier-vc own: scheme 'unicast'",
          [](run::RunSpec& spec) { spec.own_barrier_vc = true; });
  refused("unicast", "257 groups", [](run::RunSpec& spec) {
    spec.groups.assign(257, {"pair", {0, 1}});
  });
  refused("multicast", "vcs = 1 is not in 2..4", [](run::RunSpec& spec) {
    spec.config = run::configuration("mc8");
    spec.config->vcs = 1;
  });
  refused("multicast", "'sw8' is a barrier switch; this run needs multicast ones",
          [](run::RunSpec& spec) { spec.config = run::configuration("sw8"); });
}

}  // namespace

}  // namespace muster::packets
