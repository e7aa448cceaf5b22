// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "run/results/repeated.hpp"
#include "run/results/result_parts_io.hpp"

namespace muster::run {
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

}  // namespace muster::run
