// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/unit_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "muster/core/error.hpp"
#include "topology/files/member_list.hpp"

namespace muster::packets {

using topology::SwitchId;

UnitTree plan_unit_tree(const topology::Graph& graph, std::span<const topology::NodeId> members,
                        topology::NodeId center) {
  UnitTree tree;
  tree.members = topology::sorted_members(graph, members);
  if (!std::binary_search(tree.members.begin(), tree.members.end(), center))
    throw InputError(fmt::format("node {} cannot be the center: it is not a member", center));
  std::map<SwitchId, std::uint16_t> locals;
  for (const topology::NodeId n : tree.members) {
    const topology::PortRef at = graph.node(n).at;
    locals[at.sw] |= static_cast<std::uint16_t>(1u << at.port);
  }
  for (const auto& [sw, ports] : locals) tree.units.push_back({sw, 0, {}, ports});
  const auto first = std::find_if(tree.units.begin(), tree.units.end(), [&](const auto& unit) {
    return unit.sw == graph.node(center).at.sw;
  });
  std::rotate(tree.units.begin(), first, tree.units.end());
  const auto count = static_cast<std::uint32_t>(tree.units.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    tree.units[i].parent = i & (i - 1);
    if (i == 0) tree.units[i].parent = 0;
    // The farthest first: it has most to tell.
    const std::uint32_t limit = i == 0 ? std::bit_ceil(count) : i & -i;
    for (std::uint32_t step = limit / 2; step != 0; step /= 2)
      if (i + step < count) tree.units[i].children.push_back(i + step);
  }
  return tree;
}

namespace {

std::uint32_t links_between(const topology::Graph& graph, const topology::Routes& routes,
                            SwitchId from, SwitchId to) {
  std::uint32_t links = 0;
  for (SwitchId s = from; s != to; ++links)
    s = graph.peer(s, routes.next_port(s, graph.nodes() + to)).id;
  return links;
}

}  // namespace

std::uint32_t unit_tree_hops(const topology::Graph& graph, const topology::Routes& routes,
                             const UnitTree& tree) {
  // Of each member its arrival and its release.
  auto hops = static_cast<std::uint32_t>(2 * tree.members.size());
  for (std::uint32_t i = 1; i < tree.units.size(); ++i) {
    const SwitchId child = tree.units[i].sw, parent = tree.units[tree.units[i].parent].sw;
    // Arrival and acknowledgement go up, the release goes down.
    hops += 2 * links_between(graph, routes, child, parent) +
            links_between(graph, routes, parent, child);
  }
  return hops;
}

}  // namespace muster::packets
