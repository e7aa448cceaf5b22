// SPDX-License-Identifier: Apache-2.0
#include "run/saturation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "muster/run/result.hpp"
#include "run/result_parts.hpp"

namespace muster::run {
namespace {

using Carried = bool (*)(const Probe&);

bool by_all(const Probe& probe) { return probe.saturated == 0; }
bool by_some(const Probe& probe) { return probe.saturated < probe.runs; }

/// The least load that is not carried, and the greatest one below it.
struct Edge {
  double low = 0.0, high = std::numeric_limits<double>::infinity();

  Edge(const std::vector<Probe>& probes, Carried carried) {
    for (const Probe& p : probes)
      if (!carried(p)) high = std::min(high, p.load);
    for (const Probe& p : probes)
      if (p.load < high) low = std::max(low, p.load);
  }
  bool found(double tolerance) const { return !std::isfinite(high) || high - low <= tolerance; }
};

Verdict search(const SearchRange& range, const MeasureLoad& measure, std::vector<Probe>& probes) {
  const auto run = [&](double load) {
    const std::optional<Probe> probe = measure(load);
    if (probe) probes.push_back(*probe);
    return probe.has_value();
  };
  double load = std::min(range.first, range.most);
  if (!run(load)) return Verdict::kInterrupted;
  while (by_some(probes.back()) && load < range.most)
    if (!run(load = std::min(2 * load, range.most))) return Verdict::kInterrupted;
  if (by_all(probes.back())) return Verdict::kSustained;
  for (const Carried carried : {by_all, by_some})
    for (Edge edge(probes, carried); !edge.found(range.tolerance); edge = Edge(probes, carried))
      if (!run((edge.low + edge.high) / 2)) return Verdict::kInterrupted;
  return Verdict::kSaturates;
}

}  // namespace

double Saturation::most_accepted() const {
  double most = 0.0;
  for (const Probe& probe : probes) most = std::max(most, probe.accepted);
  return most;
}

Saturation find_saturation(const SearchRange& range, const MeasureLoad& measure) {
  Saturation found;
  found.verdict = search(range, measure, found.probes);
  found.sustained = Edge(found.probes, by_all).low;
  const Edge upper(found.probes, by_some);
  if (std::isfinite(upper.high)) found.unsustained = upper.high;
  return found;
}

namespace {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSaturates:
      return "saturates";
    case Verdict::kSustained:
      return "sustained";
    case Verdict::kInterrupted:
      return "interrupted";
  }
  return "";
}

Json saturation_parameters(const SaturationReport& report) {
  const RunSpec& spec = report.spec;
  return {{"network", spec.graph->name},  {"switches", spec.graph->switches()},
          {"nodes", spec.graph->nodes()}, {"config", config_json(report.config)},
          {"pattern", report.pattern},    {"packet_length_flits", spec.packet_length},
          {"warmup_cycles", spec.warmup}, {"cycles", spec.min_cycles - spec.warmup},
          {"repeat", report.repeat},      {"tolerance", report.tolerance}};
}

}  // namespace

std::string saturation_to_json(const SaturationReport& report, const Provenance& origin) {
  const Saturation& found = report.found;
  Json out;
  out["schema"] = "muster-saturation-1";
  out["command"] = origin.command;
  out["version"] = origin.version;
  out["scheme"] = report.spec.scheme;
  out["seed"] = report.spec.seed;
  out["parameters"] = saturation_parameters(report);
  out["verdict"] = verdict_name(found.verdict);
  out["interrupted"] = found.verdict == Verdict::kInterrupted;
  out["route_bound_flits_per_node_cycle"] = report.route_bound;
  out["sustained_flits_per_node_cycle"] = found.sustained;
  out["unsustained_flits_per_node_cycle"] = or_null(found.unsustained);
  out["most_accepted_flits_per_node_cycle"] = found.most_accepted();
  out["probes"] = Json::array();
  for (const Probe& probe : found.probes)
    out["probes"].push_back({{"load_flits_per_node_cycle", probe.load},
                             {"runs", probe.runs},
                             {"saturated", probe.saturated},
                             {"accepted_flits_per_node_cycle", probe.accepted},
                             {"packet_latency_mean_cycles", probe.packet_latency}});
  out["violations"] = report.violations.size();
  out["violation_texts"] = report.violations;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

std::string interval(const SaturationReport& report) {
  const Saturation& found = report.found;
  if (found.verdict == Verdict::kSustained)
    return fmt::format(
        "none: the network carries {:.4f} flits/node/cycle, the most that nodes send",
        found.probes.back().load);
  const std::string low = fmt::format("above {:.4f}", found.sustained);
  if (!found.unsustained) return low + " flits/node/cycle";
  return fmt::format("{}, below {:.4f} flits/node/cycle ({:.3f} and {:.3f} of the route bound)",
                     low, *found.unsustained, found.sustained / report.route_bound,
                     *found.unsustained / report.route_bound);
}

}  // namespace

std::string saturation_to_text(const SaturationReport& report) {
  const RunSpec& spec = report.spec;
  std::string text = switches_to_text(spec, report.config);
  text += fmt::format(
      "traffic      {}, packets of {} flits; each load {} run{} of {} cycles after {}\n",
      report.pattern, spec.packet_length, report.repeat, report.repeat == 1 ? "" : "s",
      spec.min_cycles - spec.warmup, spec.warmup);
  constexpr const char* kRow = "{:>16} {:>16} {:>12} {:>16}\n";
  text += fmt::format(kRow, "load", "accepted", "saturated", "packet latency");
  for (const Probe& p : report.found.probes)
    text += fmt::format(kRow, fmt::format("{:.4f}", p.load), fmt::format("{:.4f}", p.accepted),
                        fmt::format("{} of {}", p.saturated, p.runs),
                        fmt::format("{:.1f}", p.packet_latency));
  text +=
      fmt::format("route bound  {:.4f} flits/node/cycle, of uniform traffic\n", report.route_bound);
  text += fmt::format("saturation   {}{}\n", interval(report),
                      report.found.verdict == Verdict::kInterrupted ? ", as far as measured" : "");
  text +=
      fmt::format("accepted     at most {:.4f} flits/node/cycle\n", report.found.most_accepted());
  for (const std::string& violation : report.violations) text += "violation    " + violation + "\n";
  return text;
}

}  // namespace muster::run
