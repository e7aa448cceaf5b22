// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "muster/run/run.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "muster/verif.hpp"
#include "topology/routes/load.hpp"

using namespace muster;

// The larger system of BTIN section 5.1.
TEST_CASE("a group of 1024 on 300 switches runs in lockstep, alone and among data",
          "[network][large]") {
  const topology::Graph graph = topology::generate_irregular(
      {.switches = 300, .nodes = 1024, .ports = 8, .connectivity = 0.75, .seed = 1});
  const topology::Routes routes = topology::routes_for(graph);
  for (const double load : {0.0, 0.3}) {
    run::RunSpec spec;
    spec.engine = verif::make_lockstep_engine();
    spec.graph = core::borrowed(graph);
    spec.routes = core::borrowed(routes);
    spec.groups.push_back({"all", topology::parse_group(graph, "all", 0)});
    spec.barriers = 3;
    spec.skip = false;
    spec.load_flits =
        load * topology::route_bound_flits_per_node_cycle(topology::uniform_loads(graph, routes));
    const run::RunResult result = run::run_barriers(spec);
    CAPTURE(load);
    for (const std::string& violation : result.violations) FAIL_CHECK(violation);
    REQUIRE(result.barriers.size() == 3);
    // Every node's link and every edge of a tree that spans all switches, in both directions.
    for (const run::BarrierRecord& b : result.barriers) CHECK(b.hops == 2 * (1024 + 299));
    CHECK(result.checks.back().name == "lockstep");
    CHECK(result.checks.back().passed >= 3 * result.cycles * 300);
  }
}
