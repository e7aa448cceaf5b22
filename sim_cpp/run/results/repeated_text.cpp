// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "run/results/repeated.hpp"

namespace muster::run {
namespace {

std::string estimate_text(const Estimate& e, double unit, int digits) {
  if (!e.mean) return "-";
  std::string text = fmt::format("{:.{}f}", *e.mean * unit, digits);
  if (e.half_width) text += fmt::format(" +- {:.{}f}", *e.half_width * unit, digits);
  return text;
}

}  // namespace

std::string repeated_to_text(const RunSpec& first, const std::vector<RunResult>& results,
                             std::uint32_t asked) {
  const Repeated all = summarize_runs(results);
  const double us = first.profile.clock_ns / 1000.0;
  const auto cycles = [](const Estimate& e) { return estimate_text(e, 1.0, 1); };
  std::string text = fmt::format(
      "runs         {} of {} complete, seeds from {}, {} saturated; means of these runs, +- the 95 "
      "% interval\n",
      all.complete, asked, first.seed, all.saturated);
  text += fmt::format(
      "latency      mean {} cycles, p50 {}, p95 {}, p99 {}; mean {} us (profile {}, {} ns clock)\n",
      cycles(all.latency_mean), cycles(all.latency_p50), cycles(all.latency_p95),
      cycles(all.latency_p99), estimate_text(all.latency_mean, us, 3), first.profile.name,
      first.profile.clock_ns);
  text += fmt::format(
      "first        barrier of a group {} cycles, later ones {}; latency includes both\n",
      cycles(all.latency_first), cycles(all.latency_later));
  if (first.load_flits > 0.0)
    text += fmt::format(
        "data         offered {} accepted {} flits/node/cycle, packet latency {} cycles, p50 {}, "
        "p95 {}, p99 {}\n",
        estimate_text(all.offered, 1.0, 4), estimate_text(all.accepted, 1.0, 4),
        cycles(all.packet_mean), cycles(all.packet_p50), cycles(all.packet_p95),
        cycles(all.packet_p99));
  std::uint64_t checks = 0, violations = 0;
  for (const RunResult& result : results) {
    for (const CheckCount& c : result.checks) checks += c.passed;
    violations += result.violations.size();
  }
  text += fmt::format("checks       {} passed, {} violation{}\n", checks, violations,
                      violations == 1 ? "" : "s");
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const std::string& group : results[i].stopped)
      text += fmt::format("stopped      seed {}: {}\n", first.seed + i, group);
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const std::string& violation : results[i].violations)
      text += fmt::format("violation    seed {}: {}\n", first.seed + i, violation);
  return text;
}

}  // namespace muster::run
