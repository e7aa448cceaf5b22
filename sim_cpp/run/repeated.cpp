// SPDX-License-Identifier: Apache-2.0
#include "run/repeated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/ratio_estimate.hpp"
#include "run/result_parts.hpp"

namespace muster::run {
namespace {

using Quantity = std::optional<double>;

/// A quantity that some runs have, and its name in JSON.
struct Statistic {
  const char* name;
  Estimate Repeated::*estimate;
  Quantity (*of)(const RunResult& run);
};

// A run whose barriers have all failed, or that has no data, says nothing of these.
template <auto kMember>
Quantity latency(const RunResult& r) {
  if (!r.latency_first_mean && !r.latency_later_mean) return std::nullopt;
  return static_cast<double>(r.*kMember);
}
template <auto kMember>
Quantity data(const RunResult& r) {
  return r.data ? Quantity((*r.data).*kMember) : std::nullopt;
}
template <auto kMember>
Quantity packets(const RunResult& r) {
  if (!r.data || r.data->measured == 0) return std::nullopt;
  return static_cast<double>((*r.data).*kMember);
}

constexpr Statistic kLatencies[] = {
    {"mean", &Repeated::latency_mean, latency<&RunResult::latency_mean>},
    {"p50", &Repeated::latency_p50, latency<&RunResult::latency_p50>},
    {"p95", &Repeated::latency_p95, latency<&RunResult::latency_p95>},
    {"p99", &Repeated::latency_p99, latency<&RunResult::latency_p99>},
    {"first_mean", &Repeated::latency_first,
     [](const RunResult& r) { return r.latency_first_mean; }},
    {"later_mean", &Repeated::latency_later,
     [](const RunResult& r) { return r.latency_later_mean; }}};

using Data = TrafficStatistics;
constexpr Statistic kData[] = {
    {"offered_flits_per_node_cycle", &Repeated::offered, data<&Data::offered>},
    {"accepted_flits_per_node_cycle", &Repeated::accepted, data<&Data::accepted>},
    {"packet_latency_mean_cycles", &Repeated::packet_mean, packets<&Data::latency_mean>},
    {"packet_latency_p50_cycles", &Repeated::packet_p50, packets<&Data::latency_p50>},
    {"packet_latency_p95_cycles", &Repeated::packet_p95, packets<&Data::latency_p95>},
    {"packet_latency_p99_cycles", &Repeated::packet_p99, packets<&Data::latency_p99>}};

void add(Repeated& all, std::span<const Statistic> statistics,
         const std::vector<RunResult>& results) {
  for (const Statistic& statistic : statistics) {
    core::RatioEstimate mean;
    for (const RunResult& result : results)
      if (const Quantity quantity = statistic.of(result); quantity && result.end == End::kComplete)
        mean.add(*quantity, 1);
    all.*statistic.estimate = {static_cast<std::uint32_t>(mean.members()), mean.mean(),
                               mean.half_width()};
  }
}

}  // namespace

Repeated summarize_runs(const std::vector<RunResult>& results) {
  Repeated all;
  for (const RunResult& r : results) {
    if (r.end != End::kComplete) continue;
    ++all.complete;
    all.saturated += r.data && r.data->saturated;
  }
  add(all, kLatencies, results);
  add(all, kData, results);
  return all;
}

bool were_interrupted(const std::vector<RunResult>& results, std::uint32_t asked) {
  return results.size() < asked || std::any_of(results.begin(), results.end(), [](const auto& r) {
           return r.end == End::kInterrupted;
         });
}

namespace {

Json estimates(const Repeated& all, std::span<const Statistic> statistics, double unit = 1.0) {
  const auto scaled = [unit](const Quantity& value) {
    return value ? Json(*value * unit) : Json(nullptr);
  };
  Json out;
  for (const Statistic& statistic : statistics) {
    const Estimate& estimate = all.*statistic.estimate;
    out[statistic.name] = {{"mean", scaled(estimate.mean)},
                           {"half_width", scaled(estimate.half_width)},
                           {"runs", estimate.runs}};
  }
  return out;
}

Json single_run(std::uint64_t seed, const RunResult& result) {
  Json out = {{"seed", seed},
              {"digest", result.digest},
              {"end", end_name(result.end)},
              {"saturated", result.data && result.data->saturated},
              {"cycles", result.cycles},
              {"barriers", result.barriers.size()},
              {"latency_mean_cycles", result.latency_mean},
              {"violation_texts", result.violations}};
  if (!result.stopped.empty()) out["stopped_texts"] = result.stopped;
  return out;
}

}  // namespace

std::string repeated_to_json(const RunSpec& first, const std::vector<RunResult>& results,
                             std::uint32_t asked, const Provenance& origin) {
  const Repeated all = summarize_runs(results);
  Json out;
  out["schema"] = "muster-repeat-1";
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["engine"] = results.front().engine;
  out["scheme"] = results.front().scheme;
  out["seed"] = first.seed;
  out["repeat"] = asked;
  out["units"] = {{"*_cycles", "clock cycles"},
                  {"latency_us", "microseconds"},
                  {"mean", "over the complete runs"},
                  {"half_width", "of the 95 % interval of Student's t over these runs"}};
  out["parameters"] = run_parameters(first, results.front());
  out["complete"] = all.complete;
  out["saturated"] = all.saturated;
  out["latency_cycles"] = estimates(all, kLatencies);
  out["latency_us"] = estimates(all, kLatencies, first.profile.clock_ns / 1000.0);
  out["data"] = first.load_flits > 0.0 ? estimates(all, kData) : Json(nullptr);
  out["runs"] = Json::array();
  std::uint64_t violations = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    out["runs"].push_back(single_run(first.seed + i, results[i]));
    violations += results[i].violations.size();
  }
  out["violations"] = violations;
  out["interrupted"] = were_interrupted(results, asked);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

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
