// SPDX-License-Identifier: Apache-2.0
#include "experiment/nic_points.hpp"

#include <fmt/format.h>

#include <numeric>

#include "topology/generate.hpp"
#include "topology/routes.hpp"
#include "workload/barrier_run.hpp"

namespace muster::experiment {

namespace {

constexpr std::uint32_t kWarmUpBarriers = 5;  ///< barriers that are not counted

}  // namespace

topology::Graph myrinet(std::uint32_t nodes) {
  constexpr std::uint32_t kPorts = 16, kHalf = kPorts / 2;
  if (nodes <= kPorts) return topology::generate_clos(kPorts, 1);
  if (nodes <= kPorts * kHalf) return topology::generate_clos(kPorts, (nodes + kHalf - 1) / kHalf);
  return topology::generate_fat_tree(kHalf, 3);
}

topology::Graph quadrics(std::uint32_t nodes) {
  std::uint32_t dimension = 1;
  while (1u << (2 * dimension) < nodes) ++dimension;
  return topology::generate_fat_tree(4, dimension);
}

NicPoint measure_nic(const NicCase& what, const FigureSetting& setting) {
  if (setting.progress)
    setting.progress(fmt::format("{}, {}, {} members", what.profile, what.scheme, what.members));
  const topology::Graph graph =
      what.profile == "elan3" ? quadrics(what.members) : myrinet(what.members);
  const topology::Routes routes = topology::routes_for(graph);
  workload::RunSpec spec;
  spec.graph = &graph;
  spec.routes = &routes;
  spec.engine = setting.engine;
  spec.scheme = what.scheme;
  spec.profile = workload::find_profile(what.profile);
  spec.seed = setting.seed;
  spec.spread = 0;
  spec.barriers = kWarmUpBarriers + what.barriers;
  spec.skip = setting.engine->name() != "lockstep";
  std::vector<topology::NodeId> members(what.members);
  std::iota(members.begin(), members.end(), 0u);
  spec.groups.push_back({fmt::format("first {}", what.members), members});
  spec.nic.emplace().level = what.level;
  if (what.drop) spec.nic->faults.emplace().drop = *what.drop;
  const workload::RunResult result = workload::run_barriers(spec);
  NicPoint point;
  point.violations = result.violations.size();
  std::uint64_t cycles = 0;
  for (const workload::BarrierRecord& b : result.barriers)
    if (b.number >= kWarmUpBarriers) cycles += b.latency_cycles;
  point.latency_us = static_cast<double>(cycles) * spec.profile.clock_ns / 1000.0 / what.barriers;
  const workload::NicCost cost = result.nic.value_or(workload::NicCost{});
  point.packets =
      static_cast<double>(cost.steps + cost.nacks + cost.not_yets + cost.data + cost.acks) /
      spec.barriers;
  return point;
}

}  // namespace muster::experiment
