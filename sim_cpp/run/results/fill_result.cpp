// SPDX-License-Identifier: Apache-2.0
#include "run/results/fill_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/checkers/bounded_waits.hpp"
#include "run/deaths/survivors.hpp"
#include "run/links/link_plan.hpp"
#include "run/results/barrier_records.hpp"

namespace muster::run {

namespace {

std::uint64_t compared_ends(fabric::Network& network) {
  const core::Bank* ends = network.link_ends();
  return ends == nullptr ? 0 : ends->comparisons();
}

void add_checks(RunResult& result, RunParts& parts) {
  if (parts.checkers) {
    add_bounds(result, *parts.checkers);
    for (const auto& [name, checks] : parts.checkers->totals())
      result.checks.push_back({name, checks});
    result.checks.push_back({"waits acyclic", parts.resolved.wait_edges});
    const auto& w = parts.checkers->waits();
    const checkers::Bounds& bounds = parts.resolved.bounds;
    result.waits = {bounds.packet, w.longest_packet(), bounds.barrier, w.longest_barrier()};
  }
  if (const std::uint64_t compared = parts.network->switches().comparisons(); compared != 0)
    result.checks.push_back({"lockstep", compared + compared_ends(*parts.network)});
}

void add_counts(RunResult& result, RunParts& parts) {
  const RunSpec& spec = parts.resolved.spec;
  // A node's last flit is counted when it is sent, seen one cycle later. Behind a pipe a flit is
  // seen once more.
  const std::uint64_t flits = parts.digest.flits() / parts.network->segments();
  result.flit_hops = flits - std::min(flits, parts.network->node_flits());
  result.switch_cycles = result.cycles * spec.graph->switches();
  result.switches_clocked = parts.network->switches_clocked();
}

/// Why the group, which was hit or not, has not done all of its barriers.
std::string stopped_text(const RunResult& result, RunParts& parts, std::uint32_t group) {
  const RunSpec& spec = parts.resolved.spec;
  std::string text =
      fmt::format("group '{}' stopped after {} of {} barriers", spec.groups[group].name,
                  parts.members.current(group), spec.barriers);
  for (const Casualties::Group& hit : result.casualties.groups_hit)
    if (hit.group == group) text += fmt::format(": it lost {} in cycle {}", hit.culprit, hit.cycle);
  bool failed = false;  // its recovery, of which the reason is known
  for (const Casualties::Recovery& recovery : result.casualties.recovered) {
    if (recovery.group != group || recovery.stopped.empty()) continue;
    text += ", and " + recovery.stopped;
    failed = true;
  }
  const auto& members = spec.groups[group].members;
  const bool survivors = std::any_of(members.begin(), members.end(), [&](topology::NodeId n) {
    return answers(*parts.network, n);
  });
  const std::string need = parts.scheme->survivors_need();
  if (survivors && !failed && !need.empty())
    text += fmt::format("; with {} its survivors continue", need);
  return text;
}

/// Groups that were given up, of a run that nothing else has ended.
void add_stopped(RunResult& result, RunParts& parts) {
  if (result.end != End::kComplete) return;
  for (std::uint32_t g = 0; g < parts.members.groups(); ++g)
    if (!parts.members.done(g)) result.stopped.push_back(stopped_text(result, parts, g));
  if (!result.stopped.empty()) result.end = End::kStopped;
}

}  // namespace

RunResult fill_result(RunParts& parts, const Outcome& outcome) {
  const ResolvedRun& run = parts.resolved;
  const std::uint64_t cycle = parts.network->engine().cycle();
  RunResult result;
  result.seconds = outcome.seconds;
  result.end = outcome.end;
  result.failed = outcome.failed;
  result.engine = run.spec.engine->name();
  result.scheme = run.spec.scheme;
  result.config = run.config;
  result.digest = fmt::format("{:016x}", parts.digest.value());
  result.pipe = run.spec.links.retry ? 0 : run.spec.profile.pipe;
  result.cycles = cycle;
  result.drain_cycles = outcome.drain_start != 0 ? cycle - outcome.drain_start : 0;
  for (std::uint32_t g = 0; g < parts.members.groups(); ++g)
    result.planned_hops.push_back(run.plan->hops(g));
  add_barrier_records(result, run.spec.barriers, parts.members, parts.scheme->traffic());
  parts.scheme->fill(result);
  if (parts.lifecycle != nullptr) result.links = parts.lifecycle->links();
  if (run.spec.links.retry) result.wires = count_links(*parts.network);
  if (parts.deaths) result.casualties = parts.deaths->results();
  result.wait_mean = parts.members.wait_mean();
  result.data = outcome.traffic;
  if (parts.traffic && !result.data) result.data = parts.traffic->statistics(cycle);
  add_checks(result, parts);
  if (!outcome.violation.empty()) result.violations.push_back(outcome.violation);
  add_counts(result, parts);
  const bool undisturbed = result.end == End::kComplete || result.end == End::kInterrupted;
  if (!result.violations.empty() && undisturbed) result.end = End::kViolation;
  add_stopped(result, parts);
  return result;
}

}  // namespace muster::run
