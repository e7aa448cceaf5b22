// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "bench/groups.hpp"
#include "bench/networks.hpp"
#include "bench/timing.hpp"
#include "bench/traffic_network.hpp"
#include "fabric/configurations.hpp"
#include "run/configurations.hpp"

namespace muster::bench {
namespace {

constexpr double kShare = 0.8;  // of the route bound

struct Size {
  std::uint32_t switches, nodes;
  std::uint64_t warmup, cycles;
  unsigned rounds;
};

/// The subjects of this group; the enumerators are their numbers.
enum Subject : std::size_t {
  kRtl,
  kRtlOneVc,
  kRtlChecked,
  kRtlAsserted,
  kRtlSkip,
  kGolden,
  kGoldenChecked,
  kGoldenSkip,
  kLockstep
};

std::vector<Variant> variants(const fabric::EngineRegistry& engines) {
  const fabric::SwitchConfig sw8 = run::configuration("sw8");
  const fabric::SwitchConfig sw8v1 = run::configuration("sw8v1");
  const std::shared_ptr<const fabric::BankFactory> rtl = engines.find("rtl");
  const std::shared_ptr<const fabric::BankFactory> golden = engines.find("golden");
  return {{.engine = rtl, .config = sw8},
          {.engine = rtl, .config = sw8v1},
          {.engine = rtl, .config = sw8, .checkers = true},
          {.engine = rtl, .config = sw8, .assertions = true},
          {.engine = rtl, .config = sw8, .skip = true},
          {.engine = golden, .config = sw8},
          {.engine = golden, .config = sw8, .checkers = true, .count = true},
          {.engine = golden, .config = sw8, .skip = true},
          {.engine = engines.find("lockstep"), .config = sw8}};
}

Timings time_all(const Scenario& scenario, const std::vector<Variant>& variants, const Size& size) {
  std::vector<std::unique_ptr<TrafficNetwork>> networks;
  std::vector<std::function<void()>> subjects;
  for (const Variant& variant : variants) {
    networks.push_back(std::make_unique<TrafficNetwork>(scenario, variant));
    TrafficNetwork& network = *networks.back();
    network.run(size.warmup);
    subjects.emplace_back([&network, &size] { network.run(size.cycles); });
  }
  return alternate(subjects, size.rounds);
}

}  // namespace

void measure_engine_speed(const Setting& setting, Report& report) {
  using enum Goal::Sense;
  const Size size = setting.quick ? Size{30, 60, 100, 20, 1} : Size{300, 1024, 2000, 400, 7};
  const Scenario scenario =
      at_share_of_bound(irregular(size.switches, size.nodes, setting.seed), kShare, setting.seed);
  const Timings t = time_all(scenario, variants(*setting.engines), size);

  const double switch_cycles = static_cast<double>(size.cycles) * size.switches;
  const auto nanoseconds = [&](Subject s) { return t.best(s) / switch_cycles * 1e9; };
  const auto percent = [&](Subject s, Subject bare) { return 100.0 * (t.ratio(s, bare) - 1.0); };
  const std::string work = fmt::format(
      "irregular, {} switches, {} nodes, k = 8, f = 0.75, load {} of "
      "the route bound; nothing skipped",
      size.switches, size.nodes, kShare);
  auto& out = report.measures;
  out.push_back({"rtl_sw8_time", "RTL, 2 virtual channels", nanoseconds(kRtl), "ns/switch-cycle",
                 Goal{kAtMost, 1000}, work + "; no assertions, no checkers"});
  out.push_back({"rtl_sw8v1_time", "RTL, 1 virtual channel", nanoseconds(kRtlOneVc),
                 "ns/switch-cycle", Goal{kAtMost, 500}, work + "; no assertions, no checkers"});
  out.push_back({"golden_sw8_time",
                 "golden, 2 virtual channels",
                 nanoseconds(kGolden),
                 "ns/switch-cycle",
                 {},
                 work});
  out.push_back({"checkers_cost", "checkers add to RTL", percent(kRtlChecked, kRtl), "%",
                 Goal{kAtMost, 15}, work});
  out.push_back({"golden_checkers_cost", "checkers add to golden", percent(kGoldenChecked, kGolden),
                 "%", Goal{kAtMost, 40}, work + "; all checkers and the digest against neither"});
  out.push_back(
      {"assertions_cost", "assertions add to RTL", percent(kRtlAsserted, kRtl), "%", {}, work});
  out.push_back({"golden_speedup", "golden faster than RTL", t.ratio(kRtl, kGolden), "x",
                 Goal{kAtLeast, 5}, work});
  out.push_back({"golden_speedup_skipping",
                 "golden faster than RTL, both skipping",
                 t.ratio(kRtlSkip, kGoldenSkip),
                 "x",
                 {},
                 "the same load; quiescent switches sleep"});
  out.push_back({"lockstep_cost", "lockstep time by RTL time", t.ratio(kLockstep, kRtl), "x",
                 Goal{kAtMost, 1.5}, work});
}

}  // namespace muster::bench
