// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bench/groups.hpp"
#include "bench/timing.hpp"
#include "bench/traffic_network.hpp"
#include "run/configurations.hpp"

namespace muster::bench {
namespace {

/// Mesh switches of 2 virtual channels, with addresses enough.
Variant golden_for(const Setting& setting, const Scenario& scenario) {
  Variant variant{.engine = setting.engines->find("golden"), .config = run::configuration("sw5")};
  variant.config.dests = std::max(variant.config.dests, scenario.graph.destinations());
  variant.config.flit_w =
      std::max(variant.config.flit_w, fabric::flit_width_for(variant.config.dests));
  return variant;
}

}  // namespace

void measure_golden_size(const Setting& setting, Report& report) {
  const std::uint32_t small_width = 20, small_height = 15, large_side = setting.quick ? 30 : 100;
  const std::uint64_t warmup = setting.quick ? 20 : 1000, cycles = setting.quick ? 10 : 100;
  const Scenario large =
      at_share_of_bound(topology::generate_mesh(large_side, large_side), 0.8, setting.seed);
  Scenario small = at_load(topology::generate_mesh(small_width, small_height), 0.0, setting.seed);
  small.load_flits = large.load_flits * flits_per_switch(large) / flits_per_switch(small);
  TrafficNetwork few(small, golden_for(setting, small)), many(large, golden_for(setting, large));
  few.run(warmup);
  many.run(warmup);
  const std::uint32_t few_size = small.graph.switches(), many_size = large.graph.switches();
  const std::uint32_t factor = many_size / few_size;
  const Timings t = alternate({[&] { many.run(cycles); }, [&] { few.run(factor * cycles); }},
                              setting.quick ? 1 : 7);
  report.measures.push_back(
      {"golden_size",
       fmt::format("a switch-cycle of {} switches by one of {}", many_size, few_size),
       t.ratio(0, 1) * factor * few_size / many_size, "x", Goal{Goal::Sense::kAtMost, 1.3},
       fmt::format("golden, meshes of {}x{} and {}x{}, nothing skipped; the large one at 0.8 of "
                   "its route bound, the small one with as many flits a switch and cycle ({:.3f})",
                   large_side, large_side, small_width, small_height,
                   large.load_flits * flits_per_switch(large))});
}

}  // namespace muster::bench
