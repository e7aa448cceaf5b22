// SPDX-License-Identifier: Apache-2.0
#include "run/run_io.hpp"

#include <nlohmann/json.hpp>

#include "run/scheme_registry.hpp"
#include "systems/btin/groups/changes_io.hpp"
#include "systems/btin/groups/spill_cost.hpp"
#include "topology/group_spec.hpp"

namespace muster::run {
namespace {

using Json = nlohmann::ordered_json;

double microseconds(const RunSpec& spec, double cycles) {
  return cycles * spec.profile.clock_ns / 1000.0;
}

const char* center_name(preempt::CenterChoice choice) {
  switch (choice) {
    case preempt::CenterChoice::kRandom:
      return "random";
    case preempt::CenterChoice::kLowest:
      return "lowest";
    default:
      return "nearest";
  }
}

Json preempt(const PreemptSpec& p) {
  return {{"idle_cycles", p.idle},
          {"gap_cycles", p.gap},
          {"longest_cycles", p.longest},
          {"choice", p.random ? "random" : "last"},
          {"padding", p.padding ? "on" : "off"}};
}

const char* level_name(nic::NicLevel level) {
  if (level == nic::NicLevel::kHost) return "host";
  return level == nic::NicLevel::kDirect ? "direct" : "collective";
}

Json nic_parameters(const RunSpec& spec, const nic::NicCost& cost) {
  const nic::NicSpec n = spec.nic.value_or(nic::NicSpec{});
  Json faults;
  if (n.faults)
    faults = {{"drop", n.faults->drop},       {"duplicate", n.faults->duplicate},
              {"delay", n.faults->delay},     {"reorder", n.faults->reorder},
              {"corrupt", n.faults->corrupt}, {"longest_delay_cycles", n.faults->longest_delay}};
  return {{"level", level_name(n.level)},
          {"degree", n.degree ? Json(*n.degree) : Json(nullptr)},
          {"chained", n.form == nic::ListForm::kChained},
          {"timeout_cycles", cost.timeout},
          {"retries", n.retries},
          {"nack_gap_cycles", n.gap},
          {"faults", std::move(faults)}};
}

Json nic(const nic::NicCost& c) {
  return {{"steps_sent", c.steps},
          {"nacks_sent", c.nacks},
          {"not_yets_sent", c.not_yets},
          {"acks_sent", c.acks},
          {"data_sent", c.data},
          {"messages_planned", c.messages_planned},
          {"bus_crossings", {{"doorbells", c.doorbells}, {"events", c.events}}},
          {"messages_dropped",
           {{"malformed", c.malformed},
            {"unknown", c.unknown},
            {"stale", c.stale},
            {"limited", c.limited}}},
          {"faults",
           {{"packets", c.faults.packets},
            {"dropped", c.faults.dropped},
            {"duplicated", c.faults.duplicated},
            {"delayed", c.faults.delayed},
            {"reordered", c.faults.reordered},
            {"corrupted", c.faults.corrupted}}}};
}

Json parameters(const RunSpec& spec, const RunResult& result) {
  const fabric::SwitchConfig& c = result.config;
  Json out;
  out["network"] = spec.graph->name;
  out["switches"] = spec.graph->switches();
  out["nodes"] = spec.graph->nodes();
  out["config"] = {{"name", c.name},     {"kind", info(c.kind).name}, {"ports", c.ports},
                   {"vcs", c.vcs},       {"depth", c.depth},          {"regs", c.regs},
                   {"flit_w", c.flit_w}, {"gid_w", c.gid_w},          {"dests", c.dests}};
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
  out["spread_cycles"] = spec.spread;
  out["split_cycles"] = spec.split;
  out["barrier_vc"] = spec.own_barrier_vc ? "own" : "shared";
  out["turn"] = spec.turn;
  for (const fabric::NamedReduceOp& named : fabric::kReduceOps)
    if (named.op == spec.op) out["op"] = named.name;
  out["setup"] = spec.in_band ? "in-band" : "host";
  out["spill"] = spec.spill;
  const SchemeFactory& scheme = find_scheme(spec.scheme);
  out["center"] = scheme.centered
                      ? Json(center_name(spec.center.value_or(preempt::CenterChoice::kNearest)))
                      : Json(nullptr);
  out["preempt"] = scheme.preempts ? preempt(spec.preempt.value_or(PreemptSpec{})) : Json(nullptr);
  out["nic"] = result.nic ? nic_parameters(spec, *result.nic) : Json(nullptr);
  out["congestion"] = spec.congestion ? Json{{"members", spec.congestion->members},
                                             {"cycles", spec.congestion->cycles}}
                                      : Json(nullptr);
  out["load_flits_per_node_cycle"] = spec.load_flits;
  out["packet_length_flits"] = spec.packet_length;
  out["warmup_cycles"] = spec.warmup;
  out["min_cycles"] = spec.min_cycles;
  out["skip"] = spec.skip;
  out["checkers"] = spec.checkers;
  out["profile"] = {{"name", spec.profile.name},
                    {"clock_ns", spec.profile.clock_ns},
                    {"pipe_cycles", spec.profile.pipe},
                    {"send_cycles", spec.profile.send},
                    {"receive_cycles", spec.profile.receive},
                    {"host_cycles", spec.profile.host},
                    {"bus_cycles", spec.profile.bus},
                    {"nic_pass_cycles", spec.profile.nic_pass},
                    {"arrive_cycles", spec.profile.arrive},
                    {"leave_cycles", spec.profile.leave}};
  return out;
}

Json barrier(const RunSpec& spec, const BarrierRecord& b) {
  return {{"group", spec.groups[b.group].name},
          {"number", b.number},
          {"latency_cycles", b.latency_cycles},
          {"reduction_cycles", b.reduction_cycles},
          {"distribution_cycles", b.distribution_cycles},
          {"latency_us", microseconds(spec, static_cast<double>(b.latency_cycles))},
          {"reduction_us", microseconds(spec, static_cast<double>(b.reduction_cycles))},
          {"distribution_us", microseconds(spec, static_cast<double>(b.distribution_cycles))},
          {"exit_skew_cycles", b.exit_skew_cycles},
          {"hops", b.hops},
          {"spilled_switches", b.spilled_switches},
          {"bound_cycles", b.bound_cycles ? Json(*b.bound_cycles) : Json(nullptr)}};
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

Json setup(const RunSpec& spec, const RunResult& result) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < result.lives.size(); ++g)
    groups.push_back({{"group", spec.groups[g].name},
                      {"creation_cycles", result.lives[g].creation_cycles},
                      {"release_cycles", result.lives[g].release_cycles}});
  return {{"groups", std::move(groups)}, {"repeated_requests", result.repeated_requests}};
}

Json spill(const RunSpec& spec, const RunResult& result) {
  const SpillCost& cost = *result.spill;
  Json groups = Json::array();
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    const std::vector<topology::SwitchId> switches = btin::spilled_switches(result, g);
    if (!switches.empty())
      groups.push_back({{"group", spec.groups[g].name}, {"switches", switches}});
  }
  const auto latency = [](std::uint64_t barriers, double mean) {
    return Json{{"barriers", barriers}, {"mean", barriers != 0 ? Json(mean) : Json(nullptr)}};
  };
  return {{"groups", std::move(groups)},
          {"messages_handed_over", cost.handed_over},
          {"messages_answered", cost.answered},
          {"messages_dropped", cost.dropped},
          {"latency_spilled_cycles", latency(cost.spilled_barriers, cost.spilled_latency_mean)},
          {"latency_others_cycles", latency(cost.other_barriers, cost.other_latency_mean)}};
}

Json waits(const Waits& w) {
  return {{"packet_bound_cycles", w.packet_bound},
          {"longest_packet_cycles", w.longest_packet},
          {"barrier_bound_cycles", w.barrier_bound},
          {"longest_barrier_cycles", w.longest_barrier}};
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
  out["saturated"] = result.data && result.data->saturated;
  out["cycles"] = result.cycles;
  out["drain_cycles"] = result.drain_cycles;
  out["barriers"] = Json::array();
  for (const BarrierRecord& b : result.barriers) out["barriers"].push_back(barrier(spec, b));
  out["latency_cycles"] = {
      {"min", result.latency_min}, {"mean", result.latency_mean}, {"max", result.latency_max}};
  out["latency_us"] = {{"min", microseconds(spec, static_cast<double>(result.latency_min))},
                       {"mean", microseconds(spec, result.latency_mean)},
                       {"max", microseconds(spec, static_cast<double>(result.latency_max))}};
  if (result.preempt) {
    const PreemptCost& cost = *result.preempt;
    out["preemptions"] = cost.preemptions;
    out["padding_flits"] = cost.padding_flits;
    out["max_hop_wait_cycles"] = cost.longest_hop_wait;
    if (cost.hop_wait_bound) out["bound_hop_wait_cycles"] = *cost.hop_wait_bound;
    out["theorem_2_cycles"] = cost.theorem_2;
  }
  out["nic"] = result.nic ? nic(*result.nic) : Json(nullptr);
  out["data_throughput"] = result.data ? Json(result.data->accepted) : Json(nullptr);
  out["member_wait_cycles_mean"] = result.wait_mean;
  out["setup"] = spec.in_band ? setup(spec, result) : Json(nullptr);
  out["spill"] = result.spill ? spill(spec, result) : Json(nullptr);
  const bool dynamic = !spec.wishes.empty() || !spec.killed.empty();
  out["changes"] = dynamic ? btin::changes_to_json(spec, result) : Json(nullptr);
  out["data"] = result.data ? data(*result.data) : Json(nullptr);
  out["violations"] = result.violations.size();
  out["violation_texts"] = result.violations;
  out["checks"] = Json::object();
  for (const CheckCount& c : result.checks) out["checks"][c.name] = c.passed;
  out["waits"] = result.waits ? waits(*result.waits) : Json(nullptr);
  out["flit_hops"] = result.flit_hops;
  out["switch_cycles"] = result.switch_cycles;
  out["switch_cycles_clocked"] = result.switches_clocked;
  out["seconds"] = result.seconds;
  out["switch_cycles_per_second"] = result.switch_cycles_per_second();
  // Names of networks and groups come from files; a broken character must not stop the report.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace muster::run
