// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench/groups.hpp"
#include "bench/networks.hpp"
#include "bench/timing.hpp"
#include "bench/traffic_network.hpp"
#include "fabric/configurations.hpp"
#include "run/configurations.hpp"

namespace muster::bench {
namespace {

struct Speed {
  double flit_hops = 0.0, switch_cycles = 0.0;  // per second
};

/// The timed network has no observer; a second one, which counts, tells how many flits were sent in
/// the same cycles.
Speed speed(const Scenario& scenario, const Setting& setting, const char* config) {
  const std::uint64_t warmup = setting.quick ? 100 : 2000, cycles = setting.quick ? 100 : 4000;
  const unsigned rounds = setting.quick ? 1 : 7;
  Variant variant{.engine = setting.engines->find("golden"),
                  .config = run::configuration(config),
                  .skip = true};
  TrafficNetwork timed(scenario, variant);
  timed.run(warmup);
  const Timings t = alternate({[&] { timed.run(cycles); }}, rounds);

  variant.count = true;
  TrafficNetwork counting(scenario, variant);
  counting.run(warmup);
  const std::uint64_t before = counting.flit_hops();
  counting.run(cycles * rounds);
  const double flit_hops = static_cast<double>(counting.flit_hops() - before) / rounds;
  return {flit_hops / t.best(0),
          static_cast<double>(cycles) * scenario.graph.switches() / t.best(0)};
}

}  // namespace

void measure_golden_speed(const Setting& setting, Report& report) {
  using enum Goal::Sense;
  const Scenario mesh = at_load(topology::generate_mesh(8, 8), 0.1, setting.seed);
  const Speed on_mesh = speed(mesh, setting, "sw5v1");
  const std::string mesh_work =
      "8x8 mesh, 8-flit packets, 0.1 flits/node/cycle; 1 virtual channel, 4 flits a queue, 3-stage "
      "switch, skipping";
  auto& out = report.measures;
  out.push_back({"golden_mesh_flit_hops", "golden, 8x8 mesh", on_mesh.flit_hops / 1e6,
                 "M flit-hops/s", Goal{kAtLeast, 10}, mesh_work});
  out.push_back({"golden_mesh_router_cycles",
                 "golden, 8x8 mesh",
                 on_mesh.switch_cycles / 1e6,
                 "M router-cycles/s",
                 {},
                 mesh_work});

  const Scenario irregular_half =
      at_share_of_bound(irregular(75, 256, setting.seed), 0.5, setting.seed);
  const Speed on_irregular = speed(irregular_half, setting, "sw8");
  out.push_back(
      {"golden_irregular_flit_hops", "golden, irregular network", on_irregular.flit_hops / 1e6,
       "M flit-hops/s", Goal{kAtLeast, 10},
       fmt::format("75 switches, 256 nodes, k = 8, f = 0.75, half of the route bound ({:.4f} "
                   "flits/node/cycle); 2 virtual channels, skipping",
                   irregular_half.load_flits)});
}

}  // namespace muster::bench
