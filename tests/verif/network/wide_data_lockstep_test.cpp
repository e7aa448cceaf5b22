// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/borrowed.hpp"
#include "muster/core/rng.hpp"
#include "muster/run/barrier_data.hpp"
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

constexpr std::uint32_t kBits = 64, kBarriers = 20;

/// A run of two groups in which members bring 64 bits each, among data.
run::RunSpec wide_run(const topology::Graph& graph, const topology::Routes& routes,
                      fabric::ReduceOp op, Rng& rng) {
  run::RunSpec spec;
  spec.graph = core::borrowed(graph);
  spec.routes = core::borrowed(routes);
  spec.engine = verif::make_lockstep_engine();
  spec.seed = rng.next();
  spec.config = run::configuration("sw4w80");
  for (const char* members : {"all", "random:9"})
    spec.groups.push_back({members, topology::parse_group(graph, members, rng.next())});
  spec.barriers = kBarriers;
  spec.spread = rng.below(30);
  spec.skip = false;
  spec.load_flits =
      0.5 * topology::route_bound_flits_per_node_cycle(topology::uniform_loads(graph, routes));
  btin::Spec& choice = spec.parts.make<btin::Spec>();
  choice.op = op;
  choice.data_bits = kBits;
  choice.reflect = rng.below(2) != 0;
  return spec;
}

/// Sums of 64 bits that have carried into the bits above.
std::uint32_t carries(const run::RunSpec& spec) {
  const fabric::Formats formats(spec.config->flit_w, spec.config->gid_w);
  const run::BarrierData data(spec.seed, formats.data_width(), fabric::ReduceOp::kSum, kBits);
  std::uint32_t count = 0;
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g)
    for (std::uint32_t b = 0; b < spec.barriers; ++b) {
      const auto members = static_cast<std::uint32_t>(spec.groups[g].members.size());
      count += data.of_all(g, members, b).hi != 0 ? 1 : 0;
    }
  return count;
}

}  // namespace

TEST_CASE("all operations on 64-bit data agree with golden on networks among data",
          "[network][lockstep][data]") {
  const std::uint64_t seed = muster_seed();
  std::uint32_t carried = 0;
  for (std::uint64_t i = 0; i < 12; ++i) {
    Rng rng(seed + 64, i);
    const topology::Graph graph = topology::generate_irregular(
        {.switches = 10, .nodes = 14, .ports = 4, .connectivity = 0.9, .seed = rng.next()});
    const topology::Routes routes = topology::routes_for(graph);
    const auto& named = fabric::kReduceOps[i % fabric::kReduceOps.size()];
    const run::RunSpec spec = wide_run(graph, routes, named.op, rng);
    CAPTURE(seed, i, named.name);
    if (named.op == fabric::ReduceOp::kSum) carried += carries(spec);
    const run::RunResult result = run::run_barriers(spec);
    CHECK(result.violations == std::vector<std::string>{});
    REQUIRE(result.barriers.size() == spec.groups.size() * kBarriers);
  }
  CHECK(carried > 0);
}
