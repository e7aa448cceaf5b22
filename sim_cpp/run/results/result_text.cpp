// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "muster/run/result_io.hpp"
#include "muster/run/system.hpp"
#include "run/configurations.hpp"
#include "run/deaths/deaths_io.hpp"
#include "run/links/faults_io.hpp"
#include "run/links/links_io.hpp"

namespace muster::run {
namespace {

constexpr std::size_t kMaxRows = 40;  ///< barriers listed one by one

std::string barrier_table(const RunSpec& spec, const RunResult& result) {
  if (result.barriers.empty() || result.barriers.size() > kMaxRows) return {};
  const double us = spec.profile.clock_ns / 1000.0;
  const auto times = [us](std::uint64_t cycles) {
    return fmt::format("{} ({:.3f})", cycles, static_cast<double>(cycles) * us);
  };
  constexpr const char* kRow = "{:<12} {:>8} {:>16} {:>16} {:>16} {:>10} {:>6}\n";
  std::string text = "times in cycles (us)\n";
  text += fmt::format(kRow, "group", "barrier", "latency", "reduction", "distribution", "exit skew",
                      "hops");
  for (const BarrierRecord& b : result.barriers) {
    text += fmt::format(kRow, spec.groups[b.group].name, b.number, times(b.latency_cycles),
                        times(b.reduction_cycles), times(b.distribution_cycles), b.exit_skew_cycles,
                        b.failed ? "failed" : std::to_string(b.hops));
  }
  return text;
}

/// What --config has to do with it.
std::string choice(const RunSpec& spec, const fabric::SwitchConfig& config) {
  if (spec.config) return "as named";
  if (config.vcs < usual_vcs())
    return fmt::format(
        "other schemes get {} virtual channels, which no built switch of this kind has",
        usual_vcs());
  if (config.kind->last_channel == fabric::LastChannel::kWorms)
    return "every scheme gets the same channels; here the last is for worms, the others for data";
  return "every scheme gets the same channels";
}

}  // namespace

std::string switches_to_text(const RunSpec& spec, const fabric::SwitchConfig& config) {
  return fmt::format(
      "switches     {}: {} ports, {} virtual channel{} of {} flits, {} bits wide, {} kind; {}\n",
      config.name, config.ports, config.vcs, config.vcs == 1 ? "" : "s", config.depth,
      config.flit_w, config.kind->name, choice(spec, config));
}

std::string run_to_text(const RunSpec& spec, const RunResult& result) {
  std::string text = barrier_table(spec, result);
  if (!result.barriers.empty()) {
    const double us = spec.profile.clock_ns / 1000.0;
    text += fmt::format(
        "latency      {} barriers, min {} mean {:.1f} max {} cycles, p50 {} p95 {} p99 {}; mean "
        "{:.3f} us (profile {}, {} ns clock)\n",
        std::count_if(result.barriers.begin(), result.barriers.end(),
                      [](const BarrierRecord& b) { return !b.failed; }),
        result.latency_min, result.latency_mean, result.latency_max, result.latency_p50,
        result.latency_p95, result.latency_p99, result.latency_mean * us, spec.profile.name,
        spec.profile.clock_ns);
    if (result.latency_first_mean && result.latency_later_mean)
      text += fmt::format(
          "first        barrier of a group {:.1f} cycles, later ones {:.1f} on average; latency "
          "includes both\n",
          *result.latency_first_mean, *result.latency_later_mean);
  }
  for (const auto& system : systems()) text += system->result_text(spec, result);
  text += links_text(result.links);
  if (result.wires) text += faults_text(*result.wires);
  text += casualties_text(spec, result.casualties);
  if (spec.split != 0)
    text += fmt::format(
        "split phase  members wait {:.1f} cycles on average from their check to the release\n",
        result.wait_mean);
  if (const auto& d = result.data) {
    const std::string latency =
        d->measured == 0 ? "-"
                         : fmt::format("min {} mean {:.1f} max {} cycles, p50 {} p95 {} p99 {}",
                                       d->latency_min, d->latency_mean, d->latency_max,
                                       d->latency_p50, d->latency_p95, d->latency_p99);
    text += fmt::format(
        "data         offered {:.4f} accepted {:.4f} flits/node/cycle, {} packets delivered, "
        "latency {}; {} packets were not finished{}\n",
        d->offered, d->accepted, d->delivered, latency, d->unfinished,
        d->saturated ? ", SATURATED: source queues still grow" : "");
  }
  if (result.end == End::kInterrupted)
    text += fmt::format("interrupted  {} of {} barriers were done\n", result.barriers.size(),
                        std::uint64_t{spec.barriers} * spec.groups.size());
  for (const std::string& group : result.stopped) text += "stopped      " + group + "\n";
  std::uint64_t checks = 0;
  for (const CheckCount& c : result.checks) checks += c.passed;
  text += fmt::format("checks       {} passed, {} violation{}\n", checks, result.violations.size(),
                      result.violations.size() == 1 ? "" : "s");
  for (const std::string& violation : result.violations) text += "violation    " + violation + "\n";
  text += fmt::format(
      "simulated    {} cycles of {} switches ({}, engine {}{}), {:.3g} switch-cycles/s\n"
      "digest       {}\n",
      result.cycles, spec.graph->switches(), result.config.name, result.engine,
      spec.threads > 1 ? fmt::format(", {} threads", spec.threads) : "",
      result.switch_cycles_per_second(), result.digest);
  return text;
}

}  // namespace muster::run
