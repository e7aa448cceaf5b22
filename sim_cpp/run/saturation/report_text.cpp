// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "muster/run/result_io.hpp"
#include "run/saturation/report.hpp"

namespace muster::run {
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
