// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/report.hpp"

namespace muster::bench {
namespace {

std::string number(double value) {
  const bool whole = std::floor(value) == value;
  return fmt::format("{:.{}f}", value, whole || value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2);
}

std::string goal_text(const Goal& goal) {
  const char* sense = goal.sense == Goal::Sense::kAtMost    ? "<="
                      : goal.sense == Goal::Sense::kAtLeast ? ">="
                                                            : "=";
  return fmt::format("{} {}", sense, number(goal.value));
}

void add_link_table(std::string& text, const std::vector<LinkThroughput>& rows) {
  text += "\nflits/cycle on one link and virtual channel (golden; expected depth / (2L + 3), at most "
          "1)\n";
  std::uint32_t latency = 0;
  for (const LinkThroughput& row : rows) {
    if (row.latency != latency) {
      latency = row.latency;
      text += fmt::format("{}  L = {}:", row.depth == rows.front().depth && latency == rows.front().latency
                                             ? "" : "\n", latency);
    }
    text += fmt::format("  {}: {:.3f}{}", row.depth, row.measured,
                        row.measured == row.expected ? "" : fmt::format(" (not {:.3f})", row.expected));
  }
  text += "\n";
}

}  // namespace

std::string report_to_text(const Report& report) {
  const Machine& m = report.machine;
  std::string text = fmt::format("machine: {}, {} cores, {}{}{}; one thread, CPU time\n\n", m.cpu, m.cores,
                                 m.compiler, m.tools.empty() ? "" : ", ", fmt::join(m.tools, ", "));
  text += fmt::format("{:<44} {:>9} {:<18} {:>9}  {}\n", "measure", "value", "", "goal", "met");
  for (const Measure& measure : report.measures) {
    text += fmt::format("{:<44} {:>9} {:<18} {:>9}  {}\n", measure.what, number(measure.value),
                        measure.unit, measure.goal ? goal_text(*measure.goal) : "",
                        !measure.goal ? "" : measure.met() ? "yes" : "NO");
  }
  if (!report.link_throughput.empty()) add_link_table(text, report.link_throughput);
  text += "\nhow\n";
  for (const Measure& measure : report.measures) {
    text += fmt::format("  {}: {}\n", measure.what, measure.note);
  }
  for (const std::string& reason : report.omitted) text += fmt::format("omitted: {}\n", reason);
  return text;
}

}  // namespace muster::bench
