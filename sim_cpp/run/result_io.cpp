// SPDX-License-Identifier: Apache-2.0
#include "muster/run/result_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muster/core/error.hpp"
#include "muster/run/system.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/deaths/deaths_io.hpp"
#include "run/links/faults_io.hpp"

namespace muster::run {
namespace {

double microseconds(const RunSpec& spec, double cycles) {
  return cycles * spec.profile.clock_ns / 1000.0;
}

const char* center_name(topology::CenterChoice choice) {
  switch (choice) {
    case topology::CenterChoice::kRandom:
      return "random";
    case topology::CenterChoice::kLowest:
      return "lowest";
    default:
      return "nearest";
  }
}

const char* end_name(End end) {
  switch (end) {
    case End::kComplete:
      return "complete";
    case End::kHang:
      return "hang";
    case End::kViolation:
      return "violation";
    case End::kInterrupted:
      return "interrupted";
  }
  return "";
}

/// Adds the fields of `own`, which `system` has put there, to those of `all`; an object to an
/// object.
void merge(const System& system, const Json& own, Json& all) {
  for (const auto& [name, value] : own.items()) {
    if (!all.contains(name) || all[name].is_null())
      all[name] = value;
    else if (all[name].is_object() && value.is_object())
      merge(system, value, all[name]);
    else if (!value.is_null())
      throw InternalError(
          fmt::format("system '{}' writes field '{}' of the result, which is there "
                      "already; it can have fields of its own in own_json()",
                      system.name(), name));
  }
}

Json parameters(const RunSpec& spec, const RunResult& result) {
  const fabric::SwitchConfig& c = result.config;
  Json out;
  out["network"] = spec.graph->name;
  out["switches"] = spec.graph->switches();
  out["nodes"] = spec.graph->nodes();
  out["config"] = {{"name", c.name},     {"kind", c.kind->name}, {"ports", c.ports},
                   {"vcs", c.vcs},       {"depth", c.depth},     {"regs", c.regs},
                   {"flit_w", c.flit_w}, {"gid_w", c.gid_w},     {"dests", c.dests}};
  out["groups"] = Json::array();
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    Json members = Json::array();
    for (const topology::NodeId n : spec.groups[g].members) {
      members.push_back(topology::node_name(*spec.graph, n));
    }
    out["groups"].push_back({{"name", spec.groups[g].name},
                             {"gid", g},
                             {"members", std::move(members)},
                             {"planned_hops", result.planned_hops[g]}});
  }
  out["barriers_per_group"] = spec.barriers;
  const std::string arrivals = spec.arrivals ? spec.arrivals->name() : "";
  out["arrivals"] = arrivals.empty() ? Json(nullptr) : Json(arrivals);
  out["spread_cycles"] = spec.spread;
  out["split_cycles"] = spec.split;
  out["barrier_vc"] = spec.own_barrier_vc ? "own" : "shared";
  const SchemeFactory scheme = find_scheme(spec.scheme).scheme;
  out["center"] = scheme.centered
                      ? Json(center_name(spec.center.value_or(topology::CenterChoice::kNearest)))
                      : Json(nullptr);
  out["congestion"] = spec.congestion ? Json{{"members", spec.congestion->members},
                                             {"cycles", spec.congestion->cycles}}
                                      : Json(nullptr);
  if (spec.links.retry) {
    out["links"] = links_parameters(spec.links);
    out["links"]["deaths"] = deaths_parameters(spec);
  }
  out["load_flits_per_node_cycle"] = spec.load_flits;
  out["packet_length_flits"] = spec.packet_length;
  out["warmup_cycles"] = spec.warmup;
  out["min_cycles"] = spec.min_cycles;
  out["skip"] = spec.skip;
  out["checkers"] = spec.checkers;
  out["profile"] = {{"name", spec.profile.name},
                    {"clock_ns", spec.profile.clock_ns},
                    {"pipe_cycles", result.pipe},
                    {"send_cycles", spec.profile.send},
                    {"receive_cycles", spec.profile.receive},
                    {"host_cycles", spec.profile.host},
                    {"bus_cycles", spec.profile.bus},
                    {"arrive_cycles", spec.profile.arrive},
                    {"leave_cycles", spec.profile.leave}};
  for (const auto& system : systems()) {
    Json own = Json::object();
    system->parameters_json(spec, result, scheme, own);
    merge(*system, own, out);
  }
  return out;
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
    merge(*system, own, out);
  }
  return out;
}

/// What systems add to the result: fields of the schema, and the object `systems`.
void add_systems(const RunSpec& spec, const RunResult& result, Json& out) {
  Json of_systems = Json::object();
  for (const auto& system : systems()) {
    Json own = Json::object(), apart = Json::object();
    system->result_json(spec, result, own);
    merge(*system, own, out);
    system->own_json(spec, result, apart);
    if (!apart.empty()) of_systems[std::string(system->name())] = std::move(apart);
  }
  if (!of_systems.empty()) out["systems"] = std::move(of_systems);
}

Json data(const TrafficStatistics& d) {
  return {{"offered_flits_per_node_cycle", d.offered},
          {"accepted_flits_per_node_cycle", d.accepted},
          {"packets_generated", d.generated},
          {"packets_delivered", d.delivered},
          {"packets_waiting", d.backlog},
          {"packet_latency_cycles",
           {{"min", d.latency_min}, {"mean", d.latency_mean}, {"max", d.latency_max}}}};
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
  out["parameters"] = parameters(spec, result);
  out["digest"] = result.digest;
  out["end"] = end_name(result.end);
  out["interrupted"] = result.end == End::kInterrupted;
  out["saturated"] = result.data && result.data->saturated;
  out["cycles"] = result.cycles;
  out["drain_cycles"] = result.drain_cycles;
  out["barriers"] = Json::array();
  for (const BarrierRecord& b : result.barriers)
    out["barriers"].push_back(barrier(spec, result, b));
  out["latency_cycles"] = {
      {"min", result.latency_min}, {"mean", result.latency_mean}, {"max", result.latency_max}};
  out["latency_us"] = {{"min", microseconds(spec, static_cast<double>(result.latency_min))},
                       {"mean", microseconds(spec, result.latency_mean)},
                       {"max", microseconds(spec, static_cast<double>(result.latency_max))}};
  add_systems(spec, result, out);
  out["data_throughput"] = result.data ? Json(result.data->accepted) : Json(nullptr);
  out["member_wait_cycles_mean"] = result.wait_mean;
  out["data"] = result.data ? data(*result.data) : Json(nullptr);
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
