// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/run/random_run.hpp"
#include "support/mutant_bank.hpp"
#include "topology/route_check.hpp"

namespace muster::run {
namespace {

/// `serial`: switches that take one barrier message a cycle.
void run_all(std::uint64_t networks, std::uint32_t barriers, bool serial = false) {
  std::uint64_t completed = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(muster_seed(), i, barriers);
    CAPTURE(i, run.text());
    own<btin::Spec>(run.spec).serial = serial;
    completed += test::completes_as_planned(run.spec).barriers.size();
  }
  CHECK(completed >= networks * barriers);
}

TEST_CASE("random barriers on random networks under load keep every property",
          "[workload][random]") {
  run_all(20, 25);
}

TEST_CASE("so they do where a switch takes one barrier message a cycle",
          "[workload][random][serial]") {
  run_all(20, 25, true);
}

TEST_CASE("ten thousand random barriers on 200 random networks", "[workload][random][soak]") {
  run_all(200, 50);
  run_all(200, 50, true);
}

// Queues all full, packets of 16 to 64 flits at 1.5 times the route bound
// (docs/reference/deadlock.md). run_barriers() ends with a violation if a barrier or a packet stays
// for ever. With `spill` groups are in spill nodes: barrier messages stand at the heads of full
// queues, and every second network has switches that take one of them a cycle, not every fifth.
void end_on_full_networks(std::uint64_t networks, bool spill = false) {
  const std::uint64_t seed = muster_seed();
  std::uint64_t saturated = 0, spilled = 0;
  for (std::uint64_t i = 0; i < networks; ++i) {
    test::RandomRun run(spill ? seed + 3 : seed, 10 * i + 9, 8);
    REQUIRE(run.load == 1.5);
    run.spec.packet_length = static_cast<std::uint32_t>(16 + i % 49);
    run.spec.warmup = 2000;
    own<btin::Spec>(run.spec).serial = i % (spill ? 2 : 5) == 1;
    if (spill) {
      run.spec.barriers = 2;
      run.spill(12, seed + i);
    }
    CAPTURE(i, run.text(), run.spec.packet_length);
    const RunResult result = test::completes(run.spec);
    saturated += result.data->saturated ? 1 : 0;
    if (spill) spilled += own<btin::Result>(result).spill->spilled_barriers;
  }
  // Some runs are too short to tell.
  CHECK(saturated > networks * (spill ? 5 : 8) / 10);
  if (spill) CHECK(spilled > 12 * networks);
}

TEST_CASE("barriers end on 150 full networks with long packets", "[workload][stress]") {
  end_on_full_networks(150);
}

TEST_CASE("barriers end on 500 full networks with long packets", "[workload][stress][soak]") {
  end_on_full_networks(500);
}

TEST_CASE("spilled barriers end on full networks with long packets", "[workload][stress][spill]") {
  end_on_full_networks(60, true);
}

/// Each of the schemes does all barriers of the group, and passes `look`.
void serves(const test::Subject& subject, const std::vector<std::string>& schemes,
            const std::string& group, std::uint32_t barriers, double load = 0.0,
            const std::function<void(const RunResult&)>& look = {}) {
  for (const std::string& scheme : schemes) {
    CAPTURE(subject.graph.name, scheme);
    RunSpec spec = subject.by(scheme, {group});
    spec.barriers = barriers;
    spec.load_flits = load;
    spec.min_cycles = load == 0.0 ? 0 : 1500;
    const RunResult result = test::completes(spec);
    if (look) look(result);
  }
}

/// 2112 destinations: switches from 992 on have addresses of 12 bits.
TEST_CASE("every scheme that golden switches have runs where 11 bits do not name all",
          "[workload][addresses]") {
  serves(test::Subject(topology::generate_mesh(33, 32)),
         {"btin", "bsr-1", "bsr-2", "bsr-3", "unicast", "star", "tree", "tree-units", "multicast",
          "nic-dissemination"},
         "n0,n5,n600,n991,n992,n993,n1024,n1055", 3, 0.002, [](const RunResult& result) {
           CHECK(result.config.flit_w == 17);
           CHECK(result.data->delivered > 200);
         });
}

TEST_CASE("switches that share the network's routes do what those do whose tables are written",
          "[workload][addresses]") {
  const test::Subject subjects[] = {test::Subject(topology::generate_mesh(5, 4, 2)),
                                    test::Subject(topology::generate_fat_tree(3, 3))};
  for (const test::Subject& subject : subjects)
    for (const char* scheme : {"btin", "bsr-2", "tree-units", "multicast"}) {
      CAPTURE(subject.graph.name, scheme);
      RunSpec spec = subject.by(scheme, {"random:8", "random:5"});
      spec.load_flits = 0.02;
      const RunResult shared = test::passes(spec);
      // It gets each entry of its routing tables from the host.
      spec.engine = std::make_shared<MutantEngine>([](std::uint64_t, MutantBank&) {});
      CHECK(run_barriers(spec).digest == shared.digest);
    }
}

/// 65 536 nodes and 8192 switches: only nodes have addresses.
TEST_CASE("65 536 nodes are served where no message names a switch", "[workload][addresses]") {
  const test::Subject subject(topology::generate_mesh(128, 64, 8));
  serves(subject, {"btin", "unicast"}, "n0,n255,n2048,n30000,n32768,n65535", 2, 0.0,
         [](const RunResult& result) { CHECK(result.config.dests == 65536); });
  CHECK_THROWS_WITH(run_barriers(subject.by("tree-units", {"n0,n65535"})),
                    Contains("73728 destinations"));
}

TEST_CASE("every member of 65 536 passes a barrier", "[soak][workload][addresses]") {
  serves(test::Subject(topology::generate_mesh(128, 128, 4)), {"btin", "unicast"}, "all", 1);
}

TEST_CASE("every scheme serves 4096 members on a mesh and on a fat tree",
          "[soak][workload][addresses]") {
  for (const topology::Graph& graph :
       {topology::generate_mesh(64, 64), topology::generate_fat_tree(8, 4)})
    serves(test::Subject(graph),
           {"btin", "unicast", "tree", "tree-units", "bsr-1", "bsr-2", "bsr-3", "nic-dissemination",
            "nic-pairwise", "nic-gather"},
           "all", 2);
}

TEST_CASE("BSR trees grow on 1200 switches with a node each", "[workload][addresses][bsr]") {
  serves(test::Subject(topology::generate_irregular({.switches = 1200, .nodes = 1200, .ports = 8})),
         {"bsr-1", "bsr-2", "bsr-3"}, "all", 2);
}

// Golden switches of more than 16 ports (sim_cpp/fabric/golden/lanes.hpp).

/// The configuration that the run takes, with more ports.
fabric::SwitchConfig widened(const RunSpec& spec, std::uint32_t ports) {
  fabric::SwitchConfig config = resolve(spec)->config;
  config.name = "wide";
  config.ports = ports;
  return config;
}

std::string digest_with(RunSpec spec, std::uint32_t ports) {
  spec.config = widened(spec, ports);
  return test::passes(spec).digest;
}

TEST_CASE("ports that nothing is plugged into change no event, however many there are",
          "[workload][wide]") {
  const std::uint64_t seed = muster_seed();
  Random rng(seed, 64);
  for (std::uint64_t i = 0; i < 8; ++i) {
    test::RandomRun run(seed, i, 4);
    const char* const schemes[] = {"btin", "multicast", "tree-units", "unicast"};
    if (i % 4 != 0) run.by(schemes[i % 4]);
    if (i == 0) own<btin::Spec>(run.spec).serial = true;
    run.spec.config.reset();
    CAPTURE(i, run.text());
    const std::string narrow = digest_with(run.spec, 16);
    CHECK(digest_with(run.spec, 17 + rng.below(48)) == narrow);
    CHECK(digest_with(run.spec, 64) == narrow);
  }
}

TEST_CASE("barriers among data on switches of 64 ports keep every property, with any threads",
          "[workload][wide]") {
  const test::Subject clos(topology::generate_clos(64, 3)), alone(topology::generate_clos(40, 1));
  for (const test::Subject* const subject : {&clos, &alone})
    for (const char* const scheme : {"btin", "multicast", "tree-units"}) {
      RunSpec spec = subject->by(scheme, {"all", "random:20"});
      spec.load_flits = 0.3 * subject->route_bound();
      spec.barriers = 3;
      CAPTURE(scheme, subject->graph.name);
      const std::string digest = test::completes(spec).digest;
      spec.threads = 2;
      spec.skip = false;
      CHECK(test::completes(spec).digest == digest);
    }
}

TEST_CASE("a switch of 64 ports is reset and written again, its upper ports too",
          "[workload][wide][death]") {
  const test::Subject clos(topology::generate_clos(64, 3));
  RunSpec spec = clos.spec({"all"});
  own<btin::Spec>(spec).retry = true;
  spec.links.retry = true;
  spec.barriers = 20;
  spec.deaths.push_back({.id = 33, .cycle = 900, .reset = true});
  test::completes(spec);
}

TEST_CASE("a ring of two switches is recognized whatever ports its link has", "[topology][wide]") {
  topology::Graph graph;
  for (topology::SwitchId s : {0u, 1u}) {
    graph.add_switch(64);
    for (std::uint32_t p = 0; p < 40; ++p) graph.add_node({s, p});
  }
  graph.add_link({0, 40}, {1, 63});
  CHECK_FALSE(topology::delivery_fault(graph, topology::routes_for(graph)));
}

}  // namespace
}  // namespace muster::run
