// SPDX-License-Identifier: Apache-2.0
// Golden switches of more than 16 ports (sim_cpp/fabric/golden/lanes.hpp).
#include "sim_cpp/run/random_run.hpp"
#include "topology/route_check.hpp"

namespace muster::run {
namespace {

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
