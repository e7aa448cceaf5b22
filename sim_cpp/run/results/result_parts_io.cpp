// SPDX-License-Identifier: Apache-2.0
#include "run/results/result_parts_io.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/deaths/deaths_io.hpp"
#include "run/links/faults_io.hpp"

namespace muster::run {
namespace {

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

}  // namespace

Json config_json(const fabric::SwitchConfig& c) {
  return {{"name", c.name},     {"kind", c.kind->name}, {"ports", c.ports},
          {"vcs", c.vcs},       {"depth", c.depth},     {"regs", c.regs},
          {"flit_w", c.flit_w}, {"gid_w", c.gid_w},     {"dests", c.dests}};
}

const char* end_name(End end) {
  switch (end) {
    case End::kComplete:
      return "complete";
    case End::kStopped:
      return "groups stopped";
    case End::kHang:
      return "hang";
    case End::kViolation:
      return "violation";
    case End::kInterrupted:
      return "interrupted";
  }
  return "";
}

void merge_own(const System& system, const Json& own, Json& all) {
  for (const auto& [name, value] : own.items()) {
    if (!all.contains(name) || all[name].is_null())
      all[name] = value;
    else if (all[name].is_object() && value.is_object())
      merge_own(system, value, all[name]);
    else if (!value.is_null())
      throw InternalError(
          fmt::format("system '{}' writes field '{}' of the result, which is there "
                      "already; it can have fields of its own in own_json()",
                      system.name(), name));
  }
}

Json run_parameters(const RunSpec& spec, const RunResult& result) {
  Json out;
  out["network"] = spec.graph->name;
  out["switches"] = spec.graph->switches();
  out["nodes"] = spec.graph->nodes();
  out["config"] = config_json(result.config);
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
    merge_own(*system, own, out);
  }
  return out;
}

}  // namespace muster::run
