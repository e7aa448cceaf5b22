// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/member_group.hpp"

#include "systems/btin/groups/group_message.hpp"

namespace muster::btin {
namespace {

constexpr std::uint32_t kWordBits = 16;
constexpr std::uint32_t kHead = 3;  ///< words of an announcement before the bitmap

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
  const BarrierTree tree = plan_tree(graph, members);
  Role role;
  role.root_node = tree.root_node;
  role.images = register_images(tree, gid, options.reflect, options.op);
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
      if (member_switch)
        role.children.push_back(representative(image.sw));
      else
        role.asked.push_back({homes.node[image.sw], image});
    }
  }
  return role;
}

std::vector<std::uint32_t> announcement_words(const Announcement& a, std::uint32_t nodes) {
  std::vector<std::uint32_t> words{std::uint32_t{a.options.reflect} | word(a.options.op) << 1 |
                                       std::uint32_t{a.options.spill} << 4 | a.version << 5,
                                   a.creator, a.changes};
  words.resize(kHead + (nodes + kWordBits - 1) / kWordBits, 0);
  for (const NodeId n : a.members) words[kHead + n / kWordBits] |= 1u << n % kWordBits;
  return words;
}

Announcement announcement_at(const std::vector<std::uint32_t>& words, std::size_t place,
                             std::uint32_t nodes) {
  Announcement a;
  const std::uint32_t options = words[place];
  a.options = {(options & 1) != 0, static_cast<fabric::ReduceOp>(options >> 1 & 7),
               (options >> 4 & 1) != 0};
  a.version = options >> 5;
  a.creator = words[place + 1];
  a.changes = words[place + 2];
  for (NodeId n = 0; n < nodes; ++n)
    if ((words[place + kHead + n / kWordBits] >> n % kWordBits & 1) != 0) a.members.push_back(n);
  return a;
}

}  // namespace muster::btin
