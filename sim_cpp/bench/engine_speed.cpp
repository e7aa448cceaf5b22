// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "bench/report.hpp"
#include "bench/traffic_network.hpp"
#include "fabric/configurations.hpp"
#include "muster/core/bank.hpp"
#include "muster/core/error.hpp"
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

Variant rtl(const Setting& setting, bool skip = false) {
  return {
      .engine = setting.engines->find("rtl"), .config = run::configuration("sw8"), .skip = skip};
}

/// By Subject.
std::vector<Variant> variants(const Setting& setting) {
  std::vector<Variant> variants(kLockstep + 1, rtl(setting));
  for (const Subject golden : {kGolden, kGoldenChecked, kGoldenSkip})
    variants[golden].engine = setting.engines->find("golden");
  variants[kLockstep].engine = setting.engines->find("lockstep");
  variants[kRtlOneVc].config = run::configuration("sw8v1");
  variants[kRtlChecked].checkers = variants[kGoldenChecked].checkers = true;
  variants[kGoldenChecked].count = variants[kRtlAsserted].assertions = true;
  variants[kRtlSkip].skip = variants[kGoldenSkip].skip = true;
  return variants;
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

core::Replayable& replayable(TrafficNetwork& network) {
  core::Replayable* const bank = network.network().switches().replayable();
  if (bank == nullptr) throw InternalError("the switches of engine rtl cannot replay");
  return *bank;
}

/// An empty network that skips against a loaded one that does not.
void measure_quiescent(const Setting& setting, Report& report) {
  const std::uint32_t switches = setting.quick ? 15 : 75, nodes = setting.quick ? 30 : 256;
  const std::uint64_t cycles = setting.quick ? 100 : 1000;
  const unsigned longer = 100;  // the empty network runs so many times as long, to be timed at all
  const Scenario busy =
      at_share_of_bound(irregular(switches, nodes, setting.seed), 0.8, setting.seed);
  const Scenario idle = at_load(irregular(switches, nodes, setting.seed), 0.0, setting.seed);
  TrafficNetwork loaded(busy, rtl(setting)), empty(idle, rtl(setting, true));
  loaded.run(cycles);
  empty.run(cycles);
  const Timings t = alternate({[&] { empty.run(longer * cycles); }, [&] { loaded.run(cycles); }},
                              setting.quick ? 1 : 7);
  report.measures.push_back(
      {"quiescent_cost", "a quiescent switch by a busy one", 100.0 * t.ratio(0, 1) / longer, "%",
       fmt::format("RTL sw8, {} switches; empty and skipping against load 0.8, nothing skipped",
                   switches),
       at_most(2)});
}

/// The same rate of switch-cycles in a small and in a large network, two nodes for three switches.
void measure_size(const Setting& setting, Report& report) {
  const std::uint32_t small = 75, large = setting.quick ? 150 : 1200;
  const auto network = [&](std::uint32_t switches) {
    return irregular(switches, switches * 2 / 3, setting.seed);
  };
  const SizeCost cost = size_cost(network(small), network(large), setting.seed, setting.quick,
                                  [&](const Scenario&) { return rtl(setting); });
  report.measures.push_back(
      {"scaling", fmt::format("switch-cycles/s of {} switches by those of {}", large, small),
       100.0 / cost.ratio, "%",
       fmt::format(
           "RTL sw8, nothing skipped, {} and {} nodes; the large one at 0.8 of its route bound, "
           "the small one with as many flits a switch and cycle ({:.3f})",
           large * 2 / 3, small * 2 / 3, cost.flits),
       at_least(80)});
}

constexpr unsigned kThreads = 2;

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

void measure_engine_speed(const Setting& setting, Report& report) {
  const Size size = setting.quick ? Size{30, 60, 100, 20, 1} : Size{300, 1024, 2000, 400, 7};
  const Scenario scenario =
      at_share_of_bound(irregular(size.switches, size.nodes, setting.seed), kShare, setting.seed);
  const Timings t = time_all(scenario, variants(setting), size);

  const double switch_cycles = static_cast<double>(size.cycles) * size.switches;
  const auto nanoseconds = [&](Subject s) { return t.best(s) / switch_cycles * 1e9; };
  const auto percent = [&](Subject s, Subject bare) { return 100.0 * (t.ratio(s, bare) - 1.0); };
  const std::string work = fmt::format(
      "irregular, {} switches, {} nodes, k = 8, f = 0.75, load {} of "
      "the route bound; nothing skipped",
      size.switches, size.nodes, kShare);
  const std::string bare = work + "; no assertions, no checkers";
  auto& out = report.measures;
  out.push_back({"rtl_sw8_time", "RTL, 2 virtual channels", nanoseconds(kRtl), "ns/switch-cycle",
                 bare, at_most(1000)});
  out.push_back({"rtl_sw8v1_time", "RTL, 1 virtual channel", nanoseconds(kRtlOneVc),
                 "ns/switch-cycle", bare, at_most(500)});
  out.push_back({"golden_sw8_time", "golden, 2 virtual channels", nanoseconds(kGolden),
                 "ns/switch-cycle", work});
  out.push_back(
      {"checkers_cost", "checkers add to RTL", percent(kRtlChecked, kRtl), "%", work, at_most(15)});
  out.push_back({"golden_checkers_cost", "checkers add to golden", percent(kGoldenChecked, kGolden),
                 "%", work + "; all checkers and the digest against neither", at_most(40)});
  out.push_back(
      {"assertions_cost", "assertions add to RTL", percent(kRtlAsserted, kRtl), "%", work});
  out.push_back(
      {"golden_speedup", "golden faster than RTL", t.ratio(kRtl, kGolden), "x", work, at_least(5)});
  out.push_back({"golden_speedup_skipping", "golden faster than RTL, both skipping",
                 t.ratio(kRtlSkip, kGoldenSkip), "x", "the same load; quiescent switches sleep"});
  out.push_back({"lockstep_cost", "lockstep time by RTL time", t.ratio(kLockstep, kRtl), "x", work,
                 at_most(1.5)});
}

/// Three networks of equal state: one records its first cycles, untimed; then one runs these cycles
/// as usual and one has its bare models driven with the recorded inputs, in turn.
void measure_harness_overhead(const Setting& setting, Report& report) {
  const std::uint32_t switches = setting.quick ? 30 : 300, nodes = setting.quick ? 60 : 1024;
  const std::uint64_t warmup = setting.quick ? 100 : 1000, cycles = setting.quick ? 20 : 200;
  const unsigned rounds = setting.quick ? 1 : 7;
  const Scenario scenario =
      at_share_of_bound(irregular(switches, nodes, setting.seed), 0.8, setting.seed);
  const Variant variant = rtl(setting);
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
       fmt::format(
           "RTL sw8, {} switches, load 0.8 of the route bound; nodes, links and traffic against a "
           "loop that sets recorded inputs and evaluates",
           switches),
       at_most(25)});
}

void measure_scaling(const Setting& setting, Report& report) {
  measure_quiescent(setting, report);
  measure_size(setting, report);
}

void measure_thread_speed(const Setting& setting, Report& report) {
  const std::uint32_t switches = setting.quick ? 48 : 300, nodes = setting.quick ? 96 : 1024;
  const std::uint64_t cycles = setting.quick ? 20 : 400;
  const unsigned rounds = setting.quick ? 1 : 7;
  const Scenario scenario =
      at_share_of_bound(irregular(switches, nodes, setting.seed), kShare, setting.seed);
  const std::string how = fmt::format(
      "irregular, {} switches, {} nodes, k = 8, f = 0.75, load {} of the route bound; nothing "
      "skipped; "
      "time of the clock on the wall",
      switches, nodes, kShare);
  Variant checked = rtl(setting), golden = rtl(setting);
  checked.checkers = true;
  golden.engine = setting.engines->find("golden");
  const auto add = [&](const char* id, const char* engine, const Variant& variant,
                       std::uint64_t times, std::optional<Goal> goal) {
    report.measures.push_back({id, fmt::format("{} threads faster than one, {}", kThreads, engine),
                               faster(scenario, variant, times * cycles, rounds), "x", how, goal});
  };
  add("threads_rtl", "RTL", rtl(setting), 1, at_least(1.8));
  add("threads_checked", "RTL with checkers", checked, 1, at_least(1.7));
  add("threads_golden", "golden", golden, 10, {});
}

}  // namespace muster::bench
