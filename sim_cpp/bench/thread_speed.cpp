// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench/groups.hpp"
#include "bench/networks.hpp"
#include "bench/timing.hpp"
#include "bench/traffic_network.hpp"
#include "run/configurations.hpp"

namespace muster::bench {
namespace {

constexpr unsigned kThreads = 2;
constexpr double kShareOfThreads = 0.8;  // of the route bound

/// How many times as many cycles in a second of the clock on the wall.
double faster(const Scenario& scenario, const Variant& variant, std::uint64_t cycles,
              unsigned rounds) {
  TrafficNetwork one(scenario, variant), several(scenario, variant);
  several.network().engine().use_threads(kThreads);
  one.run(4 * cycles);
  several.run(4 * cycles);
  return alternate({[&] { one.run(cycles); }, [&] { several.run(cycles); }}, rounds, wall_seconds)
      .ratio(0, 1);
}

}  // namespace

void measure_thread_speed(const Setting& setting, Report& report) {
  using enum Goal::Sense;
  const std::uint32_t switches = setting.quick ? 48 : 300, nodes = setting.quick ? 96 : 1024;
  const std::uint64_t cycles = setting.quick ? 20 : 400;
  const unsigned rounds = setting.quick ? 1 : 7;
  const Scenario scenario =
      at_share_of_bound(irregular(switches, nodes, setting.seed), kShareOfThreads, setting.seed);
  const std::string how = fmt::format(
      "irregular, {} switches, {} nodes, k = 8, f = 0.75, load {} of the route bound; nothing "
      "skipped; "
      "time of the clock on the wall",
      switches, nodes, kShareOfThreads);
  const Variant rtl{.engine = setting.engines->find("rtl"), .config = run::configuration("sw8")};
  Variant checked = rtl, golden = rtl;
  checked.checkers = true;
  golden.engine = setting.engines->find("golden");
  auto& out = report.measures;
  out.push_back({"threads_rtl", fmt::format("{} threads faster than one, RTL", kThreads),
                 faster(scenario, rtl, cycles, rounds), "x", Goal{kAtLeast, 1.8}, how});
  out.push_back({"threads_checked",
                 fmt::format("{} threads faster than one, RTL with checkers", kThreads),
                 faster(scenario, checked, cycles, rounds), "x", Goal{kAtLeast, 1.7}, how});
  out.push_back({"threads_golden",
                 fmt::format("{} threads faster than one, golden", kThreads),
                 faster(scenario, golden, 10 * cycles, rounds),
                 "x",
                 {},
                 how});
}

}  // namespace muster::bench
