// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/role.hpp"

#include "muster/core/rng.hpp"

namespace muster::btin {

namespace {

std::uint32_t digest(const std::vector<RegisterImage>& images, NodeId root_node) {
  std::uint64_t hash = root_node;
  for (const RegisterImage& image : images) {
    hash = mix64(hash ^ image.sw);
    hash =
        mix64(hash ^ (std::uint64_t{image.gid} << 32 | image.parent_port << 17 |
                      std::uint64_t{image.reflect} << 16 |
                      std::uint64_t{static_cast<std::uint8_t>(image.op)} << 48 | image.child_mask));
  }
  return static_cast<std::uint32_t>(hash & 0xffff);
}

}  // namespace

Role plan_role(const topology::Graph& graph, const fabric::HomeNodes& homes,
               const std::vector<NodeId>& members, std::uint32_t gid, const GroupOptions& options,
               NodeId node) {
  const BarrierTree tree = btin::plan_tree(graph, members);
  Role role;
  role.root_node = tree.root_node;
  role.images = btin::register_images(tree, gid, options.reflect, options.op);
  std::vector<SwitchId> parent(graph.switches());
  for (const TreeEdge& edge : tree.edges) parent[edge.child] = edge.parent;
  const auto representative = [&](SwitchId s) { return tree.switches[s].members.front(); };
  /// The member switch that looks after s: the nearest above it.
  const auto above = [&](SwitchId s) {
    do s = parent[s];
    while (tree.switches[s].members.empty());
    return s;
  };

  const SwitchId here = graph.node(node).at.sw;
  role.digest = digest(role.images, tree.root_node);
  role.representative = representative(here) == node;
  if (!role.representative) {
    role.parent = representative(here);
    return role;
  }
  const std::vector<NodeId>& local = tree.switches[here].members;
  role.locals.assign(local.begin() + 1, local.end());
  if (here != tree.root_switch) role.parent = representative(above(here));
  for (const RegisterImage& image : role.images) {
    const bool member_switch = !tree.switches[image.sw].members.empty();
    if (image.sw == here) {
      role.own = image;
    } else if (image.sw != tree.root_switch && above(image.sw) == here) {
      if (member_switch) {
        role.children.push_back(representative(image.sw));
      } else {
        role.asked.push_back({homes.node[image.sw], image});
      }
    }
  }
  return role;
}

}  // namespace muster::btin
