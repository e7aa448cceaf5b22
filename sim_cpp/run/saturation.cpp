// SPDX-License-Identifier: Apache-2.0
#include "run/saturation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "run/data_traffic.hpp"
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

/// By Verdict.
constexpr const char* kVerdicts[] = {"saturates", "sustained", "interrupted"};

void describe_probe(core::Record& r, const Probe& probe) {
  r.add("load_flits_per_node_cycle", "offered", probe.load);
  r.add("runs", probe.runs);
  r.add("saturated", "of these runs", probe.saturated);
  r.add("accepted_flits_per_node_cycle", "mean", probe.accepted);
  r.add("packet_latency_mean_cycles",
        "mean of the runs, from generation to the tail at the destination", probe.packet_latency);
}

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

void describe(core::Record& r, const SaturationReport& report, const Provenance& origin) {
  const Saturation& found = report.found;
  const RunSpec& spec = report.spec;
  core::add_origin(r, "muster-saturation-1", origin);
  r.add("scheme", "the scheme whose switches are used", spec.scheme).filled();
  core::add_seed(r, spec.seed, "of the first run with each load; each further one has the next");
  r.add("parameters", [&](core::Record& p) {
    add_network(p, *spec.graph);
    p.rule("nodes").with("minimum", 2);
    add_config(p, report.config);
    p.add("pattern", pattern_of(spec)).with("enum", pattern_names());
    p.only(spec.routing.has_value()).add("routes", routing_of(spec)).with("enum", kRoutings);
    p.add("packet_length_flits", spec.packet_length).range(3, 65535);
    p.only(!spec.packet_mix.empty()).add("packet_mix", mix_text(spec.packet_mix));
    p.add("warmup_cycles", "that are not measured", spec.warmup);
    p.add("cycles", "of a run after the warm-up", spec.min_cycles - spec.warmup);
    p.add("repeat", "runs with each load", report.repeat).with("minimum", 1);
    p.add("tolerance", "width at which the search ends, as a share of the route bound",
          report.tolerance)
        .range(0.001, 0.5);
  });
  r.add("verdict",
        "saturates: between the two loads; sustained: the network carries the most that nodes can "
        "send",
        kVerdicts[static_cast<unsigned>(found.verdict)])
      .one_of({"saturates", "sustained", "interrupted"});
  r.add("interrupted", "the interval is that known at the interruption",
        found.verdict == Verdict::kInterrupted);
  r.add("route_bound_flits_per_node_cycle",
        "offered load that fills the busiest channel of the routes, uniform traffic",
        report.route_bound);
  r.only(pattern_of(spec) != "uniform")
      .add("pattern_bound_flits_per_node_cycle", "the same of the pattern", report.pattern_bound);
  r.add("sustained_flits_per_node_cycle",
        "highest load that all its runs carried; 0 if there is none", found.sustained);
  r.add("unsustained_flits_per_node_cycle",
        "lowest load that none of its runs carried; null if there is none", found.unsustained);
  r.add("most_accepted_flits_per_node_cycle", "highest accepted_flits_per_node_cycle of all loads",
        found.most_accepted());
  r.list("probes", "loads in the order of their runs", found.probes, describe_probe);
  r.add("violations", "0 if all checks passed", report.violations.size());
  add_texts(r, "violation_texts", report.violations, "one for each violation, with load and seed");
}

std::string saturation_to_text(const SaturationReport& report) {
  const RunSpec& spec = report.spec;
  std::string text = switches_to_text(spec, report.config);
  if (spec.routing) text += fmt::format("routes       {}\n", routing_of(spec));
  text += fmt::format("traffic      {}, packets of {}; each load {} run{} of {} cycles after {}\n",
                      pattern_of(spec),
                      spec.packet_mix.empty() ? counted(spec.packet_length, "flit", "flits")
                                              : mix_text(spec.packet_mix),
                      report.repeat, report.repeat == 1 ? "" : "s", spec.min_cycles - spec.warmup,
                      spec.warmup);
  constexpr const char* kRow = "{:>16} {:>16} {:>12} {:>16}\n";
  text += fmt::format(kRow, "load", "accepted", "saturated", "packet latency");
  for (const Probe& p : report.found.probes)
    text += fmt::format(kRow, fmt::format("{:.4f}", p.load), fmt::format("{:.4f}", p.accepted),
                        fmt::format("{} of {}", p.saturated, p.runs),
                        fmt::format("{:.1f}", p.packet_latency));
  text +=
      fmt::format("route bound  {:.4f} flits/node/cycle, of uniform traffic\n", report.route_bound);
  if (pattern_of(spec) != "uniform")
    text += fmt::format("             {:.4f} flits/node/cycle, of {} traffic\n",
                        report.pattern_bound, pattern_of(spec));
  text += fmt::format("saturation   {}{}\n", interval(report),
                      report.found.verdict == Verdict::kInterrupted ? ", as far as measured" : "");
  text +=
      fmt::format("accepted     at most {:.4f} flits/node/cycle\n", report.found.most_accepted());
  for (const std::string& violation : report.violations) text += "violation    " + violation + "\n";
  return text;
}

}  // namespace muster::run
