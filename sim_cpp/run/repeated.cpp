// SPDX-License-Identifier: Apache-2.0
#include "run/repeated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ratio_estimate.hpp"
#include "run/result_parts.hpp"

namespace muster::run {
namespace {

/// A quantity that some runs have.
template <class Value>
Estimate estimate(const std::vector<RunResult>& results, Value&& value) {
  core::RatioEstimate mean;
  Estimate found;
  for (const RunResult& result : results) {
    if (result.end != End::kComplete) continue;
    const std::optional<double> quantity = value(result);
    if (!quantity) continue;
    mean.add(*quantity, 1);
    ++found.runs;
  }
  found.mean = mean.mean();
  found.half_width = mean.half_width();
  return found;
}

}  // namespace

Repeated summarize_runs(const std::vector<RunResult>& results) {
  using Quantity = std::optional<double>;
  // A run whose barriers have all failed, or that has no data, says nothing of these.
  const auto latency = [&](auto statistic) {
    return estimate(results, [statistic](const RunResult& r) {
      return r.latency_first_mean || r.latency_later_mean
                 ? Quantity(static_cast<double>(r.*statistic))
                 : std::nullopt;
    });
  };
  const auto data = [&](double TrafficStatistics::*statistic) {
    return estimate(results, [statistic](const RunResult& r) {
      return r.data ? Quantity((*r.data).*statistic) : std::nullopt;
    });
  };
  const auto packets = [&](auto statistic) {
    return estimate(results, [statistic](const RunResult& r) {
      return r.data && r.data->measured != 0 ? Quantity(static_cast<double>((*r.data).*statistic))
                                             : std::nullopt;
    });
  };
  Repeated all;
  for (const RunResult& r : results) {
    if (r.end != End::kComplete) continue;
    ++all.complete;
    all.saturated += r.data && r.data->saturated;
  }
  all.latency_mean = latency(&RunResult::latency_mean);
  all.latency_p50 = latency(&RunResult::latency_p50);
  all.latency_p95 = latency(&RunResult::latency_p95);
  all.latency_p99 = latency(&RunResult::latency_p99);
  all.latency_first = estimate(results, [](const RunResult& r) { return r.latency_first_mean; });
  all.latency_later = estimate(results, [](const RunResult& r) { return r.latency_later_mean; });
  all.offered = data(&TrafficStatistics::offered);
  all.accepted = data(&TrafficStatistics::accepted);
  all.packet_mean = packets(&TrafficStatistics::latency_mean);
  all.packet_p50 = packets(&TrafficStatistics::latency_p50);
  all.packet_p95 = packets(&TrafficStatistics::latency_p95);
  all.packet_p99 = packets(&TrafficStatistics::latency_p99);
  return all;
}

bool were_interrupted(const std::vector<RunResult>& results, std::uint32_t asked) {
  return results.size() < asked || std::any_of(results.begin(), results.end(), [](const auto& r) {
           return r.end == End::kInterrupted;
         });
}

namespace {

Json estimate_json(const Estimate& estimate, double unit = 1.0) {
  const auto scaled = [unit](const std::optional<double>& value) {
    return value ? Json(*value * unit) : Json(nullptr);
  };
  return {{"mean", scaled(estimate.mean)},
          {"half_width", scaled(estimate.half_width)},
          {"runs", estimate.runs}};
}

Json latency_estimates(const Repeated& all, double unit) {
  return {{"mean", estimate_json(all.latency_mean, unit)},
          {"p50", estimate_json(all.latency_p50, unit)},
          {"p95", estimate_json(all.latency_p95, unit)},
          {"p99", estimate_json(all.latency_p99, unit)},
          {"first_mean", estimate_json(all.latency_first, unit)},
          {"later_mean", estimate_json(all.latency_later, unit)}};
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
  out["latency_cycles"] = latency_estimates(all, 1.0);
  out["latency_us"] = latency_estimates(all, first.profile.clock_ns / 1000.0);
  out["data"] = nullptr;
  if (first.load_flits > 0.0)
    out["data"] = {{"offered_flits_per_node_cycle", estimate_json(all.offered)},
                   {"accepted_flits_per_node_cycle", estimate_json(all.accepted)},
                   {"packet_latency_mean_cycles", estimate_json(all.packet_mean)},
                   {"packet_latency_p50_cycles", estimate_json(all.packet_p50)},
                   {"packet_latency_p95_cycles", estimate_json(all.packet_p95)},
                   {"packet_latency_p99_cycles", estimate_json(all.packet_p99)}};
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
