// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/barrier_safety.hpp"

namespace muster::checkers {
namespace {

using core::ChannelId;
using topology::SwitchId;

/// Of a root that answers the switch of its node. A root that reflects may have no member: it is
/// where an uplink leads that has none itself.
SwitchId find_root_switch(const Group& group, const topology::Graph& graph) {
  for (const topology::PortRef& uplink : group.uplinks) {
    if (!group.reflect || uplink.port >= graph.ports(uplink.sw)) continue;
    const topology::Peer& above = graph.peer(uplink.sw, uplink.port);
    if (above.kind == topology::Peer::Kind::kSwitch &&
        std::ranges::none_of(group.uplinks,
                             [&](const topology::PortRef& other) { return other.sw == above.id; }))
      return above.id;
  }
  return graph.node(group.root_node).at.sw;
}

}  // namespace

std::vector<Vertex> barrier_tree(const Group& group, const topology::Graph& graph,
                                 const fabric::Layout& layout) {
  const auto require = [&](bool holds, const std::string& text) {
    if (!holds) throw InternalError("barrier tree of group {}: {}", group.gid, text);
  };
  require(std::ranges::count(group.members, group.root_node) == 1,
          fmt::format("the root node n{} is not a member", group.root_node));
  std::vector<Vertex> vertices;
  std::map<SwitchId, std::uint32_t> vertex_of;
  const auto add = [&](bool member, std::uint32_t id, ChannelId upward) {
    const auto next = static_cast<std::uint32_t>(vertices.size());
    require(member || vertex_of.emplace(id, next).second,
            fmt::format("switch {} has two parents", id));
    Vertex& vertex = vertices.emplace_back();
    vertex.member = member;
    vertex.id = id;
    vertex.upward = upward;
  };
  if (!group.reflect) add(true, group.root_node, Vertex::kNoChannel);
  add(false, find_root_switch(group, graph),
      group.reflect ? Vertex::kNoChannel : layout.into_node(group.root_node));
  std::map<topology::PortRef, ChannelId> out;  // to switches
  for (ChannelId c = 0; c < layout.channels().size(); ++c) {
    const fabric::Channel& channel = layout.channels()[c];
    if (!channel.from.node && !channel.to.node) out[{channel.from.id, channel.from.port}] = c;
  }
  for (const topology::PortRef& uplink : group.uplinks) {
    const auto channel = out.find(uplink);
    require(channel != out.end(), fmt::format("{}:{} leads to no switch", uplink.sw, uplink.port));
    add(false, uplink.sw, channel->second);
  }
  for (const topology::NodeId n : group.members)
    if (group.reflect || n != group.root_node) add(true, n, layout.into_switch(n));
  for (std::size_t v = 1; v < vertices.size(); ++v) {
    const fabric::End& above = layout.channels()[vertices[v].upward].to;
    const auto found = vertex_of.find(above.id);
    require(above.node || found != vertex_of.end(),
            fmt::format("switch {} is not part of it", above.id));
    vertices[v].parent = above.node ? 0 : found->second;
    ++vertices[vertices[v].parent].children;
  }
  return vertices;
}

}  // namespace muster::checkers
