// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "muster/core/error.hpp"
#include "muster/topology/generate.hpp"
#include "topology/random_graph.hpp"

namespace muster::topology {
namespace {

[[noreturn]] void refuse(const IrregularSpec& spec, const std::string& reason) {
  throw InputError("irregular network of {} switches, {} nodes, {} ports, connectivity {}: {}",
                   spec.switches, spec.nodes, spec.ports, spec.connectivity, reason);
}

void check_ranges(const IrregularSpec& spec) {
  if (spec.switches < 1 || spec.switches > kMaxSwitches)
    refuse(spec, fmt::format("1 to {} switches are possible", kMaxSwitches));
  if (spec.nodes < 1 || spec.nodes > kMaxNodes)
    refuse(spec, fmt::format("1 to {} nodes are possible", kMaxNodes));
  if (spec.ports < 1 || spec.ports > kMaxPorts)
    refuse(spec, fmt::format("1 to {} ports are possible", kMaxPorts));
  if (!(spec.connectivity > 0.0 && spec.connectivity <= 1.0))
    refuse(spec, "connectivity is a share of the ports, above 0 and at most 1");
}

/// The connectivity at which the network has `links` links, for a message.
double connectivity_for(const IrregularSpec& spec, std::uint64_t links) {
  return static_cast<double>(2 * links + spec.nodes) /
         (static_cast<double>(spec.ports) * spec.switches);
}

std::vector<std::uint32_t> spread_nodes(const IrregularSpec& spec, Rng& rng) {
  std::vector<std::uint32_t> count(spec.switches, spec.nodes / spec.switches);
  std::vector<SwitchId> order(spec.switches);
  std::iota(order.begin(), order.end(), 0);
  for (std::uint32_t i = 0; i < spec.nodes % spec.switches; ++i) {
    std::swap(order[i], order[i + rng.below(spec.switches - i)]);
    ++count[order[i]];
  }
  return count;
}

DegreeBounds degree_bounds(const IrregularSpec& spec, const std::vector<std::uint32_t>& nodes) {
  DegreeBounds bounds;
  for (const std::uint32_t n : nodes) {
    // A connected network gives a switch its first link; two ports must be in use.
    bounds.least.push_back(n >= 2 ? 0 : 2 - n);
    bounds.most.push_back(std::min(spec.ports - std::min(n, spec.ports), spec.switches - 1));
  }
  return bounds;
}

/// Every condition below is necessary; together with nodes that are spread evenly they suffice.
void check_possible(const IrregularSpec& spec, const DegreeBounds& bounds, std::int64_t links) {
  const std::uint32_t q = spec.switches;
  const auto sum = [](const std::vector<std::uint32_t>& list) {
    return std::accumulate(list.begin(), list.end(), std::int64_t{0});
  };
  const std::uint32_t most_nodes = (spec.nodes + q - 1) / q;
  if (most_nodes + (q > 1 ? 1 : 0) > spec.ports)
    refuse(spec, fmt::format("a switch with {} nodes has no port left for a link; use more "
                             "switches or ports, or fewer nodes",
                             most_nodes));
  if (links < 0)
    refuse(spec, fmt::format("the nodes alone need more than the connected ports; connectivity "
                             "of at least {:.3f} is needed",
                             connectivity_for(spec, q - 1)));
  if (links < q - 1)
    refuse(spec, fmt::format("{} links cannot connect {} switches, {} are needed; raise "
                             "connectivity to {:.3f}",
                             links, q, q - 1, connectivity_for(spec, q - 1)));
  const std::int64_t least = (sum(bounds.least) + 1) / 2;
  if (links < least)
    refuse(spec, fmt::format("{} links cannot give every switch two connected ports, {} are "
                             "needed; raise connectivity to {:.3f}",
                             links, least, connectivity_for(spec, least)));
  const std::int64_t most = std::min(sum(bounds.most) / 2, std::int64_t{q} * (q - 1) / 2);
  if (links > most)
    refuse(spec, fmt::format("{} links need parallel links or more ports, {} are possible; lower "
                             "connectivity to {:.3f}",
                             links, most, connectivity_for(spec, most)));
  for (SwitchId s = 0; s < q; ++s)
    if (bounds.least[s] > bounds.most[s])
      refuse(
          spec,
          fmt::format(
              "switch {} cannot have two connected ports; use more nodes, ports or switches", s));
}

}  // namespace

std::int64_t irregular_links(const IrregularSpec& spec) {
  const std::int64_t ports = std::int64_t{spec.ports} * spec.switches;
  const double connected = spec.connectivity * static_cast<double>(ports);
  const auto links = static_cast<std::int64_t>(std::llround((connected - spec.nodes) / 2));
  // With every port connected and an odd number left for links, one port stays open.
  return std::min(links, (ports - spec.nodes) / 2);
}

Graph generate_irregular(const IrregularSpec& spec) {
  check_ranges(spec);
  Rng rng(spec.seed);
  const std::vector<std::uint32_t> nodes = spread_nodes(spec, rng);
  const DegreeBounds bounds = degree_bounds(spec, nodes);
  const std::int64_t links = irregular_links(spec);
  check_possible(spec, bounds, links);

  const EdgeList list =
      random_connected_graph(bounds, static_cast<std::uint32_t>(links), spec.model, rng);
  std::vector<Edge> edges;
  for (const auto& [a, b] : list) edges.push_back({a, b});
  std::vector<Attachment> attachments;
  for (SwitchId s = 0; s < spec.switches; ++s) attachments.insert(attachments.end(), nodes[s], {s});

  Graph graph = assemble(std::vector(spec.switches, spec.ports), std::move(edges), attachments);
  graph.name = fmt::format("irregular-{}", spec.switches);
  graph.generator =
      fmt::format("irregular {} switches {} nodes {} ports {} connectivity {} seed {}",
                  spec.model == RandomModel::kUniform ? "uniform" : "attachment", spec.switches,
                  spec.nodes, spec.ports, spec.connectivity, spec.seed);
  return graph;
}

}  // namespace muster::topology
