// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bench/report.hpp"
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

/// Mesh switches of 2 virtual channels, with addresses enough.
Variant golden_for(const Setting& setting, const Scenario& scenario) {
  Variant variant{.engine = setting.engines->find("golden"), .config = run::configuration("sw5")};
  variant.config.dests = std::max(variant.config.dests, scenario.graph.destinations());
  variant.config.flit_w =
      std::max(variant.config.flit_w, fabric::flit_width_for(variant.config.dests));
  return variant;
}

}  // namespace

void measure_golden_speed(const Setting& setting, Report& report) {
  const Scenario mesh = at_load(topology::generate_mesh(8, 8), 0.1, setting.seed);
  const Speed on_mesh = speed(mesh, setting, "sw5v1");
  const std::string mesh_work =
      "8x8 mesh, 8-flit packets, 0.1 flits/node/cycle; 1 virtual channel, 4 flits a queue, 3-stage "
      "switch, skipping";
  auto& out = report.measures;
  out.push_back({"golden_mesh_flit_hops", "golden, 8x8 mesh", on_mesh.flit_hops / 1e6,
                 "M flit-hops/s", mesh_work, at_least(10)});
  out.push_back({"golden_mesh_router_cycles", "golden, 8x8 mesh", on_mesh.switch_cycles / 1e6,
                 "M router-cycles/s", mesh_work});

  const Scenario irregular_half =
      at_share_of_bound(irregular(75, 256, setting.seed), 0.5, setting.seed);
  const Speed on_irregular = speed(irregular_half, setting, "sw8");
  out.push_back(
      {"golden_irregular_flit_hops", "golden, irregular network", on_irregular.flit_hops / 1e6,
       "M flit-hops/s",
       fmt::format("75 switches, 256 nodes, k = 8, f = 0.75, half of the route bound ({:.4f} "
                   "flits/node/cycle); 2 virtual channels, skipping",
                   irregular_half.load_flits),
       at_least(10)});
}

void measure_golden_size(const Setting& setting, Report& report) {
  const std::uint32_t side = setting.quick ? 30 : 100;
  const SizeCost cost = size_cost(
      topology::generate_mesh(20, 15), topology::generate_mesh(side, side), setting.seed,
      setting.quick, [&](const Scenario& scenario) { return golden_for(setting, scenario); });
  report.measures.push_back(
      {"golden_size", fmt::format("a switch-cycle of {} switches by one of 300", side * side),
       cost.ratio, "x",
       fmt::format("golden, meshes of {0}x{0} and 20x15, nothing skipped; the large one at 0.8 of "
                   "its route bound, the small one with as many flits a switch and cycle ({1:.3f})",
                   side, cost.flits),
       at_most(1.3)});
}

}  // namespace muster::bench
