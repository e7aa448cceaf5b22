// SPDX-License-Identifier: Apache-2.0
#include "run/waits.hpp"

#include <algorithm>

#include "run/data_traffic.hpp"

namespace muster::run {
namespace {

/// How much longer than in passing things may take. Seen on random networks: up to 1.2 times up to
/// kCalm; above, the turns of successive switches multiply, up to 1800 times and, rarely, more.
constexpr std::uint64_t kCalmFactor = 8, kBusyFactor = 20'000;

/// What link ends add to the credit loop, cycles (docs/systems/retry-link.md): a flit comes 2
/// later, a credit 3.
constexpr std::uint64_t kEndsLoop = 5;

/// Cycles from the spending of a credit until it can be spent again, on the longest link.
std::uint64_t credit_loop(const RunSpec& spec, const fabric::SwitchConfig& config) {
  return 2 * std::uint64_t{longest_latency(*spec.graph)} + config.kind->credit_turn +
         (spec.links.retry ? kEndsLoop : 0);
}

/// Switches on the longest way there can reasonably be: up to a switch and down again, or with each
/// virtual channel that a packet changes to.
std::uint64_t longest_way(const RunSpec& spec) {
  const std::vector<std::uint32_t> levels = topology::bfs_levels(*spec.graph, 0);
  const topology::Phases* const phases = spec.routes->phases();
  return (2 * std::uint64_t{*std::ranges::max_element(levels)} + 1) *
         (phases == nullptr ? 1 : phases->channels());
}

}  // namespace

std::uint32_t longest_latency(const topology::Graph& graph) {
  std::uint32_t latency = 1;
  for (const topology::Link& link : graph.links()) latency = std::max(latency, link.latency);
  for (topology::NodeId n = 0; n < graph.nodes(); ++n)
    latency = std::max(latency, graph.node(n).latency);
  return latency;
}

topology::ChannelLoads offered_loads(const RunSpec& spec) {
  const auto to = spec.pattern || spec.packets ? std::vector<topology::NodeId>{}
                                               : permutation(pattern_of(spec), *spec.graph);
  return to.empty() ? topology::uniform_loads(*spec.graph, *spec.routes)
                    : topology::permutation_loads(*spec.graph, *spec.routes, to);
}

double utilisation(const RunSpec& spec, const fabric::SwitchConfig& config) {
  if (spec.load_flits == 0.0) return 0.0;
  const double largest = offered_loads(spec).largest;
  const double covered = static_cast<double>(config.depth) / credit_loop(spec, config);
  const std::uint32_t occupancy = spec.profile.occupancy;
  const double headers = occupancy == 0 ? 1.0 : mean_flits(spec) / double(occupancy);
  return spec.load_flits * largest / std::min({1.0, covered, headers});
}

checkers::Bounds wait_bounds(const RunSpec& spec, const fabric::SwitchConfig& config,
                             const PlanTimes& times) {
  const std::uint64_t loop = credit_loop(spec, config);
  // A flit for each credit that comes back, a header for each time that an input is occupied.
  const std::uint64_t slower =
      std::max<std::uint64_t>((loop + config.depth - 1) / config.depth, spec.profile.occupancy);
  // On a link: a message of each group, of data a packet, and all packets of the scheme.
  const std::uint64_t messages = loop + spec.profile.pipe + spec.groups.size() * slower;
  const double used = utilisation(spec, config);
  const std::uint64_t data = used == 0.0 ? 0 : most_flits(spec) * slower;
  const std::uint64_t step = messages + data + times.packet_flits * slower;
  const std::uint64_t factor = used <= kCalm ? kCalmFactor : kBusyFactor;
  // Each barrier may find a packet again.
  const std::uint64_t held =
      spec.congestion ? spec.congestion->cycles * spec.groups.size() * spec.barriers : 0;
  const std::uint64_t packet = factor * step * longest_way(spec) + held;
  return {packet, times.queued ? packet : times.owed_cycles, times.hop};
}

}  // namespace muster::run
