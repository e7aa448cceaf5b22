// SPDX-License-Identifier: Apache-2.0
#include "muster/run/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "muster/core/error.hpp"
#include "muster/run/system.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/configurations.hpp"
#include "run/result_parts.hpp"

namespace muster::run {
namespace {

/// What a system says of a run.
struct Reported {
  Reported(const System& system, const RunSpec& spec, const RunResult& run) {
    Report out{parameters, result, own, text};
    system.report(spec, run, out);
  }
  Json parameters = Json::object(), result = Json::object(), own = Json::object();
  std::string text;
};

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
                      "already; it can have fields of its own in Report::own",
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
    const auto name = [&](topology::NodeId n) { return topology::node_name(*spec.graph, n); };
    out["groups"].push_back({{"name", spec.groups[g].name},
                             {"gid", g},
                             {"members", list_of(spec.groups[g].members, name)},
                             {"planned_hops", result.planned_hops[g]}});
  }
  put_fields(spec, out);
  const std::string arrivals = spec.arrivals ? spec.arrivals->name() : "";
  out["arrivals"] = arrivals.empty() ? Json(nullptr) : Json(arrivals);
  if (!find_scheme(spec.scheme).scheme.centered)
    out["center"] = nullptr;
  else if (!spec.center)
    out["center"] = "nearest";
  out["congestion"] = spec.congestion ? Json{{"members", spec.congestion->members},
                                             {"cycles", spec.congestion->cycles}}
                                      : Json(nullptr);
  if (spec.links.retry) {
    out["links"] = links_parameters(spec.links);
    out["links"]["deaths"] = deaths_parameters(spec);
  }
  out["load_flits_per_node_cycle"] = spec.load_flits;
  out["warmup_cycles"] = spec.warmup;
  out["profile"] = {{"name", spec.profile.name},
                    {"clock_ns", spec.profile.clock_ns},
                    {"pipe_cycles", result.pipe},
                    {"send_cycles", spec.profile.send},
                    {"receive_cycles", spec.profile.receive},
                    {"host_cycles", spec.profile.host},
                    {"bus_cycles", spec.profile.bus},
                    {"arrive_cycles", spec.profile.arrive},
                    {"leave_cycles", spec.profile.leave}};
  for (const auto& system : systems())
    merge_own(*system, Reported(*system, spec, result).parameters, out);
  return out;
}

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
              {"bound_cycles", or_null(b.bound_cycles)}};
  if (b.failed) out["failed"] = true;
  for (const auto& system : systems()) {
    Json own = Json::object();
    system->barrier_json(result, b, own);
    merge_own(*system, own, out);
  }
  return out;
}

Json latencies(const RunResult& result) {
  return {{"min", result.latency_min},
          {"mean", result.latency_mean},
          {"max", result.latency_max},
          {"p50", result.latency_p50},
          {"p95", result.latency_p95},
          {"p99", result.latency_p99},
          {"first_mean", or_null(result.latency_first_mean)},
          {"later_mean", or_null(result.latency_later_mean)}};
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
    Reported said(*system, spec, result);
    merge_own(*system, said.result, out);
    if (!said.own.empty()) of_systems[std::string(system->name())] = std::move(said.own);
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
          {"longest_barrier_cycles", or_null(w.longest_barrier)}};
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
  out["barriers"] =
      list_of(result.barriers, [&](const BarrierRecord& b) { return barrier(spec, result, b); });
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
  for (const auto& system : systems()) text += Reported(*system, spec, result).text;
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
