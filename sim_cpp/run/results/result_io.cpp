// SPDX-License-Identifier: Apache-2.0
#include "muster/run/result_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muster/run/system.hpp"
#include "run/deaths/deaths_io.hpp"
#include "run/links/faults_io.hpp"
#include "run/results/result_parts_io.hpp"

namespace muster::run {
namespace {

double microseconds(const RunSpec& spec, double cycles) {
  return cycles * spec.profile.clock_ns / 1000.0;
}

Json barrier(const RunSpec& spec, const RunResult& result, const BarrierRecord& b) {
  Json out = {{"group", spec.groups[b.group].name},
              {"number", b.number},
              {"latency_cycles", b.latency_cycles},
              {"reduction_cycles", b.reduction_cycles},
              {"distribution_cycles", b.distribution_cycles},
              {"latency_us", microseconds(spec, static_cast<double>(b.latency_cycles))},
              {"reduction_us", microseconds(spec, static_cast<double>(b.reduction_cycles))},
              {"distribution_us", microseconds(spec, static_cast<double>(b.distribution_cycles))},
              {"exit_skew_cycles", b.exit_skew_cycles},
              {"hops", b.hops},
              {"bound_cycles", b.bound_cycles ? Json(*b.bound_cycles) : Json(nullptr)}};
  if (b.failed) out["failed"] = true;
  for (const auto& system : systems()) {
    Json own = Json::object();
    system->barrier_json(result, b, own);
    merge_own(*system, own, out);
  }
  return out;
}

Json latencies(const RunResult& result) {
  const auto number = [](const std::optional<double>& mean) {
    return mean ? Json(*mean) : Json(nullptr);
  };
  return {{"min", result.latency_min},
          {"mean", result.latency_mean},
          {"max", result.latency_max},
          {"p50", result.latency_p50},
          {"p95", result.latency_p95},
          {"p99", result.latency_p99},
          {"first_mean", number(result.latency_first_mean)},
          {"later_mean", number(result.latency_later_mean)}};
}

Json in_microseconds(const RunSpec& spec, Json cycles) {
  for (auto& value : cycles)
    if (!value.is_null()) value = microseconds(spec, value.get<double>());
  return cycles;
}

/// What systems add to the result: fields of the schema, and the object `systems`.
void add_systems(const RunSpec& spec, const RunResult& result, Json& out) {
  Json of_systems = Json::object();
  for (const auto& system : systems()) {
    Json own = Json::object(), apart = Json::object();
    system->result_json(spec, result, own);
    merge_own(*system, own, out);
    system->own_json(spec, result, apart);
    if (!apart.empty()) of_systems[std::string(system->name())] = std::move(apart);
  }
  if (!of_systems.empty()) out["systems"] = std::move(of_systems);
}

Json data(const TrafficStatistics& d) {
  const auto measured = [&](auto value) { return d.measured != 0 ? Json(value) : Json(nullptr); };
  const Json latency = {{"min", measured(d.latency_min)}, {"mean", measured(d.latency_mean)},
                        {"max", measured(d.latency_max)}, {"p50", measured(d.latency_p50)},
                        {"p95", measured(d.latency_p95)}, {"p99", measured(d.latency_p99)}};
  return {{"offered_flits_per_node_cycle", d.offered},
          {"accepted_flits_per_node_cycle", d.accepted},
          {"packets_generated", d.generated},
          {"packets_delivered", d.delivered},
          {"packets_waiting", d.backlog},
          {"packets_measured", d.measured},
          {"packets_unfinished", d.unfinished},
          {"packet_latency_cycles", latency}};
}

Json waits(const Waits& w) {
  return {{"packet_bound_cycles", w.packet_bound},
          {"longest_packet_cycles", w.longest_packet},
          {"barrier_bound_cycles", w.barrier_bound},
          {"longest_barrier_cycles", w.longest_barrier ? Json(*w.longest_barrier) : Json(nullptr)}};
}

}  // namespace

std::string run_to_json(const RunSpec& spec, const RunResult& result, const Provenance& origin) {
  Json out;
  out["schema"] = "muster-run-1";
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["engine"] = result.engine;
  out["scheme"] = result.scheme;
  out["seed"] = spec.seed;
  out["units"] = {{"latency_us", "microseconds"},
                  {"reduction_us", "microseconds"},
                  {"distribution_us", "microseconds"},
                  {"*_cycles", "clock cycles"},
                  {"data_throughput", "accepted flits per node and cycle"},
                  {"hops", "barrier messages on links, node links included"},
                  {"flit_hops", "flits sent by switches"}};
  out["parameters"] = run_parameters(spec, result);
  out["digest"] = result.digest;
  out["end"] = end_name(result.end);
  out["interrupted"] = result.end == End::kInterrupted;
  out["saturated"] = result.data && result.data->saturated;
  out["cycles"] = result.cycles;
  out["drain_cycles"] = result.drain_cycles;
  out["barriers"] = Json::array();
  for (const BarrierRecord& b : result.barriers)
    out["barriers"].push_back(barrier(spec, result, b));
  out["latency_cycles"] = latencies(result);
  out["latency_us"] = in_microseconds(spec, out["latency_cycles"]);
  add_systems(spec, result, out);
  out["data_throughput"] = result.data ? Json(result.data->accepted) : Json(nullptr);
  out["member_wait_cycles_mean"] = result.wait_mean;
  out["data"] = result.data ? data(*result.data) : Json(nullptr);
  if (!result.stopped.empty()) out["stopped_texts"] = result.stopped;
  out["violations"] = result.violations.size();
  out["violation_texts"] = result.violations;
  out["checks"] = Json::object();
  for (const CheckCount& c : result.checks) out["checks"][c.name] = c.passed;
  out["waits"] = result.waits ? waits(*result.waits) : Json(nullptr);
  if (result.wires) {
    out["faults"] = faults_json(*result.wires);
    out["faults"].update(casualties_json(spec, result.casualties));
  }
  out["flit_hops"] = result.flit_hops;
  out["switch_cycles"] = result.switch_cycles;
  out["switch_cycles_clocked"] = result.switches_clocked;
  out["seconds"] = result.seconds;
  out["switch_cycles_per_second"] = result.switch_cycles_per_second();
  // Names of networks and groups come from files; a broken character must not stop the report.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace muster::run
