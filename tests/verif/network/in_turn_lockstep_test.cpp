// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/verif.hpp"
#include "run/configurations.hpp"
#include "support/seed.hpp"
#include "topology/routes/load.hpp"

using namespace muster;

namespace {

/// A network of 4-port switches, as large as tables of 64 destinations allow at most.
topology::Graph small_network(Rng& rng) {
  while (true) {
    const auto switches = static_cast<std::uint32_t>(4 + rng.below(20));
    const auto nodes = static_cast<std::uint32_t>(switches + rng.below(switches));
    try {
      return topology::generate_irregular({.switches = switches,
                                           .nodes = nodes,
                                           .ports = 4,
                                           .connectivity = 0.5 + 0.5 * rng.uniform(),
                                           .seed = rng.next()});
    } catch (const InputError&) {
    }
  }
}

/// Networks of switches that take one barrier message a cycle, with up to `most` groups in each.
void agrees_with_golden(const char* configuration, std::uint64_t most, bool in_band) {
  const std::uint64_t seed = muster_seed();
  const auto engine = verif::make_lockstep_engine();
  for (std::uint64_t i = 0; i < 20; ++i) {
    Rng rng(seed + 9, i);
    const topology::Graph graph = small_network(rng);
    const topology::Routes routes = topology::routes_for(graph);
    run::RunSpec spec;
    spec.graph = core::borrowed(graph);
    spec.routes = core::borrowed(routes);
    spec.engine = engine;
    spec.seed = rng.next();
    spec.config = run::configuration(configuration);
    const std::uint64_t groups = 1 + rng.below(most);
    for (std::uint64_t g = 0; g < groups; ++g) {
      const std::string members = "random:" + std::to_string(2 + rng.below(graph.nodes() - 1));
      spec.groups.push_back({members, topology::parse_group(graph, members, rng.next())});
    }
    spec.barriers = 10;
    spec.spread = i % 2 == 0 ? 0 : rng.below(40);
    spec.parts.make<btin::Spec>().reflect = rng.below(2) != 0;
    spec.parts.make<btin::Spec>().in_band = in_band && i % 4 == 3;
    spec.parts.make<btin::Spec>().op = fabric::kReduceOps[i % fabric::kReduceOps.size()].op;
    spec.skip = false;
    spec.load_flits =
        0.5 * rng.uniform() *
        topology::route_bound_flits_per_node_cycle(topology::uniform_loads(graph, routes));
    CAPTURE(seed, i, graph.switches(), graph.nodes(), groups);
    const run::RunResult result = run::run_barriers(spec);
    CHECK(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == spec.groups.size() * spec.barriers);
  }
}

}  // namespace

TEST_CASE("random networks of switches with a serial unit agree with golden",
          "[network][lockstep][serial]") {
  agrees_with_golden("ser4", 4, true);
}

TEST_CASE("random networks of switches with groups in block RAM agree with golden",
          "[network][lockstep][many]") {
  agrees_with_golden("many4", 24, false);
}
