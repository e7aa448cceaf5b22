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

Variant rtl(const Setting& setting, bool skip) {
  return {
      .engine = setting.engines->find("rtl"), .config = run::configuration("sw8"), .skip = skip};
}

/// An empty network that skips against a loaded one that does not.
void measure_quiescent(const Setting& setting, Report& report) {
  const std::uint32_t switches = setting.quick ? 15 : 75, nodes = setting.quick ? 30 : 256;
  const std::uint64_t cycles = setting.quick ? 100 : 1000;
  const unsigned longer = 100;  // the empty network runs so many times as long, to be timed at all
  const Scenario busy =
      at_share_of_bound(irregular(switches, nodes, setting.seed), 0.8, setting.seed);
  const Scenario idle = at_load(irregular(switches, nodes, setting.seed), 0.0, setting.seed);
  TrafficNetwork loaded(busy, rtl(setting, false)), empty(idle, rtl(setting, true));
  loaded.run(cycles);
  empty.run(cycles);
  const Timings t = alternate({[&] { empty.run(longer * cycles); }, [&] { loaded.run(cycles); }},
                              setting.quick ? 1 : 7);
  report.measures.push_back(
      {"quiescent_cost", "a quiescent switch by a busy one", 100.0 * t.ratio(0, 1) / longer, "%",
       Goal{Goal::Sense::kAtMost, 2},
       fmt::format("RTL sw8, {} switches; empty and skipping against load 0.8, nothing skipped",
                   switches)});
}

/// The same rate of switch-cycles in a small and in a large network, two nodes for three switches.
/// Ways are longer and the route bound is lower in the large one, so equal shares of it would be
/// less work for each of its switches: the small one gets what gives its switches as many flits.
void measure_size(const Setting& setting, Report& report) {
  const std::uint32_t small_size = 75, large_size = setting.quick ? 150 : 1200;
  const std::uint32_t factor = large_size / small_size;
  const std::uint64_t warmup = setting.quick ? 20 : 1000, cycles = setting.quick ? 10 : 100;
  const auto network = [&](std::uint32_t switches) {
    return irregular(switches, switches * 2 / 3, setting.seed);
  };
  const Scenario large = at_share_of_bound(network(large_size), 0.8, setting.seed);
  Scenario small = at_load(network(small_size), 0.0, setting.seed);
  small.load_flits = large.load_flits * flits_per_switch(large) / flits_per_switch(small);
  TrafficNetwork few(small, rtl(setting, false)), many(large, rtl(setting, false));
  few.run(warmup);
  many.run(warmup);
  // Equal numbers of switch-cycles in a round.
  const Timings t = alternate({[&] { few.run(factor * cycles); }, [&] { many.run(cycles); }},
                              setting.quick ? 1 : 7);
  report.measures.push_back(
      {"scaling",
       fmt::format("switch-cycles/s of {} switches by those of {}", large_size, small_size),
       100.0 * t.ratio(0, 1), "%", Goal{Goal::Sense::kAtLeast, 80},
       fmt::format(
           "RTL sw8, nothing skipped, {} and {} nodes; the large one at 0.8 of its route bound, "
           "the small one with as many flits a switch and cycle ({:.3f})",
           large.graph.nodes(), small.graph.nodes(), large.load_flits * flits_per_switch(large))});
}

}  // namespace

void measure_scaling(const Setting& setting, Report& report) {
  measure_quiescent(setting, report);
  measure_size(setting, report);
}

}  // namespace muster::bench
