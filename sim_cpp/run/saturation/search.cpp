// SPDX-License-Identifier: Apache-2.0
#include "run/saturation/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace muster::run
