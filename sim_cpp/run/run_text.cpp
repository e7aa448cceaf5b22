// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "run/run_io.hpp"

namespace muster::run {
namespace {

constexpr std::size_t kMaxRows = 40;  ///< barriers listed one by one
constexpr std::size_t kMaxNames = 8;  ///< groups listed for each switch

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
                        b.hops);
  }
  return text;
}

/// Which groups were spilled, by switch, and what it cost.
std::string spill_text(const RunSpec& spec, const RunResult& result) {
  const SpillCost& cost = *result.spill;
  std::map<topology::SwitchId, std::vector<std::string>> at;
  for (const btin::RegisterSlot& r : result.registers)
    if (r.spilled)
      at[r.image.sw].push_back(fmt::format("{} ({})", r.group, spec.groups[r.group].name));
  if (at.empty()) return "spill        no group: all have found registers\n";
  std::string text;
  for (auto& [sw, names] : at) {
    const std::size_t more = names.size() - std::min(names.size(), kMaxNames);
    names.resize(names.size() - more);
    text += fmt::format("spill        switch {}: groups {}{}\n", sw, fmt::join(names, ", "),
                        more == 0 ? "" : fmt::format(" and {} more", more));
  }
  const auto mean = [](std::uint64_t barriers, double latency) {
    return barriers == 0 ? "none" : fmt::format("{} of {:.1f} cycles", barriers, latency);
  };
  return text + fmt::format(
                    "spill        {} messages handed over, {} answered, {} dropped; barriers of "
                    "spilled groups: {}, of others: {}\n",
                    cost.handed_over, cost.answered, cost.dropped,
                    mean(cost.spilled_barriers, cost.spilled_latency_mean),
                    mean(cost.other_barriers, cost.other_latency_mean));
}

std::string changes_text(const RunSpec& spec, const RunResult& result) {
  std::string text;
  for (const WishResult& w : result.wishes)
    if (!w.refused.empty())
      text += fmt::format("refused      n{} {} group {}: {}\n", w.wish.node,
                          w.wish.join ? "does not join" : "does not leave",
                          spec.groups[w.wish.group].name, w.refused);
  for (const ChangeResult& c : result.changes) {
    const btin::ChangeRecord& r = c.record;
    if (!c.refused.empty()) continue;
    text += fmt::format(
        "change       group {} before barrier {}: {} joined, {} left{}; registers {} added, {} "
        "rewritten, {} freed, {} kept; {} messages, confirmed in {} cycles\n",
        spec.groups[r.gid].name, r.first_barrier, r.joined.size(), r.left.size(),
        r.link ? ", away from a dead link" : "", r.added, r.rewritten, r.freed, r.kept, r.messages,
        r.finished - r.decided);
  }
  for (const LinkResult& l : result.links)
    text += fmt::format(
        "dead link    {}:{}-{}:{} declared in cycle {}, {} words written{}, {}\n", l.link.a.sw,
        l.link.a.port, l.link.b.sw, l.link.b.port, l.link.cycle, l.entries,
        l.quiesced ? " with packets held" : "",
        l.out == 0 ? "not taken out" : fmt::format("out after {} cycles", l.out - l.link.cycle));
  return text;
}

/// Theorem 2 and the bounds of the barriers, where they have one.
std::string bound_text(const RunResult& result) {
  std::string text = fmt::format("bound        Theorem 2 says {} cycles",
                                 fmt::join(result.preempt->theorem_2, ", "));
  std::optional<std::uint64_t> least, most;
  for (const BarrierRecord& b : result.barriers) {
    if (!b.bound_cycles) continue;
    least = std::min(least.value_or(*b.bound_cycles), *b.bound_cycles);
    most = std::max(most.value_or(*b.bound_cycles), *b.bound_cycles);
  }
  if (!least) return text + "\n";
  return text + fmt::format("; what holds, barrier by barrier, is {} to {}\n", *least, *most);
}

}  // namespace

std::string run_to_text(const RunSpec& spec, const RunResult& result) {
  std::string text = barrier_table(spec, result);
  for (std::size_t g = 0; g < result.lives.size(); ++g)
    text += fmt::format("set-up       group {}: created in {} cycles, released in {}\n",
                        spec.groups[g].name, result.lives[g].creation_cycles,
                        result.lives[g].release_cycles);
  if (result.spill) text += spill_text(spec, result);
  text += changes_text(spec, result);
  if (!result.barriers.empty()) {
    const double us = spec.profile.clock_ns / 1000.0;
    text += fmt::format(
        "latency      {} barriers, min {} mean {:.1f} max {} cycles; mean {:.3f} us (profile {}, "
        "{} ns "
        "clock)\n",
        result.barriers.size(), result.latency_min, result.latency_mean, result.latency_max,
        result.latency_mean * us, spec.profile.name, spec.profile.clock_ns);
  }
  if (const auto& cost = result.nic) {
    text += fmt::format(
        "nic          {} steps, {} nacks, {} not-yets, {} data, {} acks; {} doorbells, {} events; "
        "timeout {} cycles\n",
        cost->steps, cost->nacks, cost->not_yets, cost->data, cost->acks, cost->doorbells,
        cost->events, cost->timeout);
    if (const nic::FaultCounts& f = cost->faults; f.packets != 0)
      text += fmt::format(
          "faults       of {} packets {} dropped, {} doubled, {} delayed, {} overtaken, {} "
          "damaged\n",
          f.packets, f.dropped, f.duplicated, f.delayed, f.reordered, f.corrupted);
  }
  if (const auto& cost = result.preempt) {
    text += fmt::format("preemption   {} channels cut, {} pads; at a hop {} cycles of wait at most",
                        cost->preemptions, cost->padding_flits, cost->longest_hop_wait);
    text += cost->hop_wait_bound ? fmt::format(", the bound is {}\n", *cost->hop_wait_bound) : "\n";
    text += bound_text(result);
  }
  if (spec.split != 0)
    text += fmt::format("split phase  members wait {:.1f} cycles on average when they look\n",
                        result.wait_mean);
  if (const auto& d = result.data) {
    text += fmt::format(
        "data         offered {:.4f} accepted {:.4f} flits/node/cycle, {} packets delivered, "
        "latency "
        "min {} mean {:.1f} max {} cycles{}\n",
        d->offered, d->accepted, d->delivered, d->latency_min, d->latency_mean, d->latency_max,
        d->saturated ? ", SATURATED: source queues still grow" : "");
  }
  std::uint64_t checks = 0;
  for (const CheckCount& c : result.checks) checks += c.passed;
  text += fmt::format("checks       {} passed, {} violations\n", checks, result.violations.size());
  for (const std::string& violation : result.violations) text += "violation    " + violation + "\n";
  text += fmt::format(
      "simulated    {} cycles of {} switches ({}, engine {}), {:.3g} switch-cycles/s\n"
      "digest       {}\n",
      result.cycles, spec.graph->switches(), result.config.name, result.engine,
      result.switch_cycles_per_second(), result.digest);
  return text;
}

}  // namespace muster::run
