// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

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
  text +=
      "\nflits/cycle on one link and virtual channel (golden; expected depth / (2L + 2), at most "
      "1)\n";
  std::uint32_t latency = 0;
  for (const LinkThroughput& row : rows) {
    if (row.latency != latency) {
      latency = row.latency;
      text += fmt::format(
          "{}  L = {}:",
          row.depth == rows.front().depth && latency == rows.front().latency ? "" : "\n", latency);
    }
    text +=
        fmt::format("  {}: {:.3f}{}", row.depth, row.measured,
                    row.measured == row.expected ? "" : fmt::format(" (not {:.3f})", row.expected));
  }
  text += "\n";
}

/// Measures made in the same way share a line.
void add_methods(std::string& text, const std::vector<Measure>& measures) {
  text += "\nhow\n";
  std::map<std::string, std::vector<std::string>> by_note;
  for (const Measure& measure : measures) by_note[measure.note].push_back(measure.what);
  for (const Measure& measure : measures) {
    const auto found = by_note.find(measure.note);
    if (found == by_note.end()) continue;
    text += fmt::format("  {}: {}\n", fmt::join(found->second, "; "), found->first);
    by_note.erase(found);
  }
}

}  // namespace

std::string report_to_text(const Report& report) {
  const Machine& m = report.machine;
  std::string text =
      fmt::format("machine: {}, {} cores, {}{}{}; one thread, CPU time\n{}\n", m.cpu, m.cores,
                  m.compiler, m.tools.empty() ? "" : ", ", fmt::join(m.tools, ", "),
                  report.quick ? "quick: small and short, the times are not meaningful\n" : "");
  text += fmt::format("{:<44} {:>9} {:<18} {:>9}  {}\n", "measure", "value", "", "goal", "met");
  for (const Measure& measure : report.measures) {
    text += fmt::format("{:<44} {:>9} {:<18} {:>9}  {}\n", measure.what, number(measure.value),
                        measure.unit, measure.goal ? goal_text(*measure.goal) : "",
                        !measure.goal   ? ""
                        : measure.met() ? "yes"
                                        : "NO");
  }
  if (!report.link_throughput.empty()) add_link_table(text, report.link_throughput);
  add_methods(text, report.measures);
  for (const std::string& reason : report.omitted) text += fmt::format("omitted: {}\n", reason);
  return text;
}

}  // namespace muster::bench
