// SPDX-License-Identifier: Apache-2.0
#include "run/comparison.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "fabric/configurations.hpp"
#include "run/measured_luts.hpp"
#include "run/result_parts.hpp"

namespace muster::run {
namespace {

/// Of the table; the JSON has all.
constexpr const char* kShownFamily = "ecp5";

void describe_load(core::Record& r, double clock_ns, const ComparedLoad& l) {
  r.add("load", "share of the route bound", l.load);
  core::Record of_done = r.null_unless(l.done != 0);
  of_done.add("mean_cycles", "latency of a barrier; null if none was done", l.mean);
  of_done.add("p99_cycles", "that 99 % of the barriers do not exceed", l.p99);
  of_done.add("mean_us", "of the profile", l.mean * clock_ns / 1000.0);
  r.add("hops", "messages on links for each barrier", l.hops);
  r.add("failed", "barriers that failed in a recovery; not in the latencies", l.failed);
  r.add("saturated", "source queues of the data still grew at the end", l.saturated);
  r.add("trouble", "why not all barriers were done; empty: they were", l.trouble);
}

void describe_luts(core::Record& r, const ComparedLuts& h) {
  r.add("config", "configuration of the block", h.config);
  r.add("count", "such blocks in the network", h.count);
  core::add_counts(r, "luts",
                   "of one block, by family (results/synthesis.csv); empty: not measured", h.luts);
}

void describe_scheme(core::Record& r, const Comparison& all, const ComparedScheme& s) {
  r.add("scheme", s.scheme).filled();
  r.add("about", "what combines the arrivals", s.about).filled();
  r.add("unsupported", "why it cannot run here; empty: it can", s.unsupported);
  core::Record own = r.only(s.unsupported.empty());
  own.list("loads", "in the order of their runs", s.loads, describe_load,
           all.spec.profile.clock_ns);
  own.add("messages", "that nodes send in a barrier, without data and deaths; null if interrupted",
          s.messages);
  r.null_unless(s.saturation.has_value())
      .add("saturation", "of data alone; null if it was not searched", [&](core::Record& found) {
        const Saturation at = s.saturation.value_or(Saturation{});
        found.add("sustained_flits_per_node_cycle", at.sustained);
        found.add("unsustained_flits_per_node_cycle", "null: the most that nodes send is carried",
                  at.unsustained);
      });
  own.list("hardware", "switches, blocks at nodes, link ends that retry", s.hardware,
           describe_luts);
  own.add("survives", "faults, with their options", s.survives);
}

/// In thousands, of all blocks; "-" if one has not been measured, whose name is put in `missing`.
std::string luts_text(const ComparedScheme& s, std::string* missing = nullptr) {
  std::uint64_t sum = 0;
  for (const ComparedLuts& h : s.hardware) {
    const auto found = std::ranges::find(h.luts, std::string(kShownFamily),
                                         &std::pair<std::string, std::uint32_t>::first);
    if (found == h.luts.end()) {
      if (missing != nullptr) *missing = h.config;
      return "-";
    }
    sum += std::uint64_t{h.count} * found->second;
  }
  return fmt::format("{:.1f}", static_cast<double>(sum) / 1000.0);
}

/// Why there are no LUTs of a block of the scheme, and what helps.
std::string unmeasured(const ComparedScheme& s, const std::string& block) {
  const auto named = [&](const fabric::BlockEntry& entry) { return entry.name == block; };
  if (std::ranges::any_of(fabric::listed_blocks(), named) ||
      std::ranges::any_of(fabric::mapped_blocks(), named))
    return fmt::format("{} is not in results/synthesis.csv: scripts/synth --write {}", block,
                       block);
  const auto of_kind = [&](const fabric::BlockEntry& entry) {
    return entry.block.top == s.config.kind->module;
  };
  if (std::ranges::none_of(fabric::listed_blocks(), of_kind) ||
      s.config.ports > s.config.kind->max_rtl_ports)
    return fmt::format("no RTL of {} switches has {} ports", s.config.kind->name, s.config.ports);
  return fmt::format("no {} switch of {} ports is in rtl/configurations.json, to be mapped",
                     s.config.kind->name, s.config.ports);
}

std::string saturation_text(const ComparedScheme& s, double bound) {
  if (!s.saturation) return "-";
  if (!s.saturation->unsustained) return "none";
  return fmt::format("{:.2f}", (s.saturation->sustained + *s.saturation->unsustained) / 2 / bound);
}

/// Schemes by what they have in common, in the order of the first of each.
using Sharers = std::vector<std::pair<std::string, std::vector<std::string>>>;

void share(Sharers& all, const std::string& common, const std::string& scheme) {
  const auto at = std::ranges::find(all, common, &Sharers::value_type::first);
  (at == all.end() ? all.emplace_back(common, std::vector<std::string>{}) : *at)
      .second.push_back(scheme);
}

}  // namespace

ComparedLuts luts_of(const std::string& config, std::uint32_t count) {
  ComparedLuts found{config, count};
  for (const MeasuredLuts& row : kMeasuredLuts)
    if (config == row.config) found.luts.emplace_back(row.family, row.luts);
  return found;
}

ComparedLuts luts_of(const fabric::SwitchConfig& config, std::uint32_t count) {
  fabric::Block block = fabric::block_of(config);
  for (const fabric::BlockEntry& entry : fabric::mapped_blocks()) {
    block.params["Dests"] = std::max(entry.block.param("Dests"), config.dests);
    if (fabric::same(entry.block, block)) return luts_of(entry.name, count);
  }
  return luts_of(config.name, count);
}

void describe(core::Record& r, const Comparison& c, const Provenance& origin) {
  core::add_origin(r, "muster-comparison-1", origin);
  core::add_seed(r, c.spec.seed);
  r.add("parameters", [&](core::Record& p) {
    add_network(p, *c.spec.graph);
    p.list("groups", "as typed", c.spec.groups, [](const RunGroup& g) { return g.name; });
    p.add("barriers_per_group", c.spec.barriers);
    p.add("spread_cycles", c.spec.spread);
    p.add("packet_length_flits", c.spec.packet_length);
    p.only(c.spec.routing.has_value()).add("routes", routing_of(c.spec)).with("enum", kRoutings);
    p.add("profile", c.spec.profile.name).filled();
    p.add("clock_ns", c.spec.profile.clock_ns);
    p.add("route_bound_flits_per_node_cycle", "load 1", c.route_bound);
  });
  r.add("interrupted", "schemes or loads are missing", c.interrupted);
  r.list("schemes", "in the order of --help", c.schemes, describe_scheme, c);
}

std::string comparison_to_text(const Comparison& c) {
  const double us = c.spec.profile.clock_ns / 1000.0;
  std::string text = fmt::format(
      "{}: {}, {} of {}; load 1 is {:.4f} flits/node/cycle; profile {}\n\n",
      c.spec.graph->name.empty() ? "network" : c.spec.graph->name,
      counted(c.spec.graph->switches(), "switch", "switches"),
      counted(c.spec.barriers, "barrier", "barriers"),
      counted(c.spec.groups.size(), "group", "groups"), c.route_bound, c.spec.profile.name);
  Sharers survivors, absent, incomplete, unsized;
  constexpr const char* kRow = "{:<18} {:>5} {:>10} {:>9} {:>9} {:>7} {:>9} {:>11} {:>12}{}\n";
  text += fmt::format(kRow, "scheme", "load", "mean", "mean us", "p99", "hops", "messages",
                      "saturation", "k LUTs ECP5", "  switches");
  for (const ComparedScheme& s : c.schemes) {
    for (std::size_t i = 0; i < s.loads.size(); ++i) {
      const ComparedLoad& l = s.loads[i];
      const bool first = i == 0;
      std::vector<std::string> notes;
      if (first) notes.push_back(s.config.name);
      if (l.saturated) notes.emplace_back("data saturate");
      if (l.failed != 0) notes.push_back(counted(l.failed, "failed barrier", "failed barriers"));
      if (!l.trouble.empty()) {
        notes.emplace_back("incomplete");
        share(incomplete, l.trouble,
              s.loads.size() == 1 ? s.scheme : fmt::format("{} at load {:g}", s.scheme, l.load));
      }
      const auto of_done = [&](const char* form, auto value) {
        return l.done == 0 ? "-" : fmt::format(fmt::runtime(form), value);
      };
      text += fmt::format(kRow, first ? s.scheme : "", fmt::format("{:g}", l.load),
                          of_done("{:.1f}", l.mean), of_done("{:.3f}", l.mean * us),
                          of_done("{}", l.p99), of_done("{:.0f}", l.hops),
                          first && s.messages ? fmt::format("{:.0f}", *s.messages) : "",
                          first ? saturation_text(s, c.route_bound) : "", first ? luts_text(s) : "",
                          notes.empty() ? "" : fmt::format("  {}", fmt::join(notes, "; ")));
    }
  }
  text += "\n";
  if (std::ranges::any_of(c.schemes, [](const auto& s) { return s.saturation.has_value(); }))
    text += "saturation: load at which data alone saturate these switches\n";
  for (const ComparedScheme& s : c.schemes) {
    std::string block;
    if (s.unsupported.empty() && luts_text(s, &block) == "-")
      share(unsized, unmeasured(s, block), s.scheme);
    for (const std::string& fault : s.survives) share(survivors, fault, s.scheme);
    if (!s.unsupported.empty()) share(absent, s.unsupported, s.scheme);
  }
  for (const auto& [reason, schemes] : unsized)
    text += fmt::format("k LUTs -: {}: {}\n", fmt::join(schemes, ", "), reason);
  for (const auto& [reason, schemes] : incomplete)
    text += fmt::format("{}: {}\n", fmt::join(schemes, ", "), reason);
  for (const auto& [fault, schemes] : survivors)
    text += fmt::format("{}: survived by {}\n", fault, fmt::join(schemes, ", "));
  for (const auto& [reason, schemes] : absent)
    text += fmt::format("{}: not here: {}\n", fmt::join(schemes, ", "), reason);
  return text;
}

}  // namespace muster::run
