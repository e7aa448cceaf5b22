// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "topology/generate/regular_network.hpp"

namespace muster::topology {

namespace {

/// Group i numbers its global channels 0 to routers * globals - 1, router by router. Channel k of
/// the first groups - 1 goes to group k if that is below i, to group k + 1 otherwise: the absolute
/// arrangement. What channels are left over repeat this as often as it goes.
void add_global_links(const DragonflySpec& spec, std::vector<Edge>& edges) {
  if (spec.groups < 2) return;
  const std::uint32_t others = spec.groups - 1;
  const auto end = [&](std::uint32_t group, std::uint32_t channel) {
    return SwitchId{group * spec.routers + channel / spec.globals};
  };
  for (std::uint32_t first = 0; first + others <= spec.routers * spec.globals; first += others)
    for (std::uint32_t low = 0; low < spec.groups; ++low)
      for (std::uint32_t high = low + 1; high < spec.groups; ++high)
        edges.push_back({end(low, first + high - 1), end(high, first + low)});
}

}  // namespace

Graph generate_dragonfly(const DragonflySpec& spec) {
  const std::string text = fmt::format(
      "dragonfly of {} groups of {} routers, global links per router {}, nodes per "
      "router {}",
      spec.groups, spec.routers, spec.globals, spec.nodes);
  const std::uint64_t routers = std::max(spec.routers, 1u);
  const std::uint64_t ports = routers - 1 + spec.globals + spec.nodes;
  const std::uint64_t count = std::uint64_t{spec.groups} * spec.routers;
  check_size(text, count, std::min(count, std::uint64_t{kMaxSwitches}) * spec.nodes, ports);
  const std::uint64_t channels = routers * spec.globals;
  if (spec.groups > channels + 1)
    throw InputError(
        fmt::format("{}: the {} global links of a group reach at most {} groups; use fewer groups "
                    "or more links",
                    text, channels, channels + 1));
  std::vector<Edge> edges;
  for (SwitchId first = 0; first < count; first += spec.routers)
    for (SwitchId a = 0; a < spec.routers; ++a)
      for (SwitchId b = a + 1; b < spec.routers; ++b) edges.push_back({first + a, first + b});
  add_global_links(spec, edges);
  return regular_network(fmt::format("dragonfly-{}x{}", spec.groups, spec.routers), text, count,
                         ports, std::move(edges), nodes_on_all(count, spec.nodes));
}

}  // namespace muster::topology
