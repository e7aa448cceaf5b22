// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/figures/nic_points.hpp"

#include <fmt/format.h>

#include <numeric>

#include "core/borrowed.hpp"
#include "muster/run/run.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/routes.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/nic/scheme/broadcast_plan.hpp"

namespace muster::nic {

namespace {

constexpr std::uint32_t kWarmUpBarriers = 5;  ///< barriers that are not counted
constexpr std::uint32_t kPorts = 16, kPortsOfRtl = 8;

/// The crossbars of an engine: Myrinet's had 8 or 16 ports.
std::uint32_t crossbar_ports(const fabric::BankFactory& engine) {
  const fabric::SwitchConfig large{
      .name = "crossbar", .ports = kPorts, .vcs = 1, .kind = &btin::kBarrierSwitch};
  return engine.supports(large) ? kPorts : kPortsOfRtl;
}

}  // namespace

topology::Graph myrinet(std::uint32_t nodes, std::uint32_t ports) {
  const std::uint32_t half = ports / 2;
  if (nodes <= ports) return topology::generate_clos(ports, 1);
  if (nodes <= ports * half) return topology::generate_clos(ports, (nodes + half - 1) / half);
  return topology::generate_fat_tree(half, 3);
}

topology::Graph quadrics(std::uint32_t nodes) {
  std::uint32_t dimension = 1;
  while (1u << (2 * dimension) < nodes) ++dimension;
  return topology::generate_fat_tree(4, dimension);
}

NicPoint measure_nic(const NicCase& what, const figures::FigureSetting& setting) {
  if (setting.progress)
    setting.progress(
        fmt::format("{}, {}, {} members", what.profile.name, what.scheme, what.members));
  const topology::Graph graph = what.profile.name == "elan3"
                                    ? quadrics(what.members)
                                    : myrinet(what.members, crossbar_ports(*setting.engine));
  const topology::Routes routes = topology::routes_for(graph);
  run::RunSpec spec;
  spec.graph = core::borrowed(graph);
  spec.routes = core::borrowed(routes);
  spec.engine = setting.engine;
  spec.scheme = what.scheme;
  spec.profile = what.profile;
  spec.seed = setting.seed;
  spec.spread = 0;
  spec.barriers = kWarmUpBarriers + what.barriers;
  spec.skip = !setting.engine->compares();
  std::vector<topology::NodeId> members(what.members);
  std::iota(members.begin(), members.end(), 0u);
  spec.groups.push_back({fmt::format("first {}", what.members), members});
  if (what.scheme != kBroadcastScheme) spec.parts.set(what.choice);
  const run::RunResult result = run::run_barriers(spec);
  NicPoint point;
  point.violations = result.violations.size();
  std::uint64_t cycles = 0;
  for (const run::BarrierRecord& b : result.barriers)
    if (b.number >= kWarmUpBarriers) cycles += b.latency_cycles;
  point.latency_us = static_cast<double>(cycles) * spec.profile.clock_ns / 1000.0 / what.barriers;
  const NicCost cost = result.parts.get<NicCost>();
  point.packets =
      static_cast<double>(cost.steps + cost.nacks + cost.not_yets + cost.data + cost.acks) /
      spec.barriers;
  return point;
}

}  // namespace muster::nic
