// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench/groups.hpp"
#include "bench/networks.hpp"
#include "bench/timing.hpp"
#include "bench/traffic_network.hpp"
#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "muster/core/replay.hpp"
#include "run/configurations.hpp"

namespace muster::bench {
namespace {

core::Replayable& replayable(TrafficNetwork& network) {
  core::Replayable* const bank = network.network().switches().replayable();
  if (bank == nullptr) throw InternalError("the switches of engine rtl cannot replay");
  return *bank;
}

}  // namespace

/// Three networks of equal state: one records its first cycles, untimed; then one runs these cycles
/// as usual and one has its bare models driven with the recorded inputs, in turn.
void measure_harness_overhead(const Setting& setting, Report& report) {
  const std::uint32_t switches = setting.quick ? 30 : 300, nodes = setting.quick ? 60 : 1024;
  const std::uint64_t warmup = setting.quick ? 100 : 1000, cycles = setting.quick ? 20 : 200;
  const unsigned rounds = setting.quick ? 1 : 7;
  const Scenario scenario =
      at_share_of_bound(irregular(switches, nodes, setting.seed), 0.8, setting.seed);
  const Variant variant{.engine = setting.engines->find("rtl"),
                        .config = run::configuration("sw8")};

  std::unique_ptr<core::Recording> recording;
  {
    TrafficNetwork recorded(scenario, variant);
    replayable(recorded).start_recording();
    recorded.run(warmup + rounds * cycles);
    recording = replayable(recorded).stop_recording();
  }
  TrafficNetwork whole(scenario, variant), bare(scenario, variant);
  core::Replayable& models = replayable(bare);
  whole.run(warmup);
  models.replay(*recording, 0, warmup);
  std::uint64_t next = warmup;
  const Timings t = alternate({[&] { whole.run(cycles); },
                               [&] {
                                 models.replay(*recording, next, next + cycles);
                                 next += cycles;
                               }},
                              rounds);
  report.measures.push_back(
      {"harness_cost", "harness adds to the bare models", 100.0 * (t.ratio(0, 1) - 1.0), "%",
       Goal{Goal::Sense::kAtMost, 25},
       fmt::format(
           "RTL sw8, {} switches, load 0.8 of the route bound; nodes, links and traffic against a "
           "loop that sets recorded inputs and evaluates",
           switches)});
}

}  // namespace muster::bench
