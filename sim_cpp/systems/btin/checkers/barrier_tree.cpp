// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/barrier_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "muster/core/error.hpp"

namespace muster::checkers {

namespace {

using core::ChannelId;
using topology::SwitchId;

[[noreturn]] void contradiction(const Group& group, const std::string& text) {
  throw InternalError(fmt::format("barrier tree of group {}: {}", group.gid, text));
}

class Builder {
 public:
  Builder(const Group& group, const topology::Graph& graph, const fabric::Layout& layout)
      : group_(group), graph_(graph), layout_(layout) {}

  std::vector<Vertex> build() {
    add_top();
    std::map<topology::PortRef, ChannelId> out;
    for (ChannelId c = 0; c < layout_.channels().size(); ++c) {
      const fabric::End& from = layout_.channels()[c].from;
      if (!from.node) out[{from.id, from.port}] = c;
    }
    for (const topology::PortRef& uplink : group_.uplinks) {
      const auto channel = out.find(uplink);
      if (channel == out.end() || layout_.channels()[channel->second].to.node)
        contradiction(group_, fmt::format("{}:{} leads to no switch", uplink.sw, uplink.port));
      add_switch(uplink.sw, channel->second);
    }
    for (std::size_t v = 1; v < vertices_.size(); ++v)
      if (vertices_[v].parent == kOpen)
        adopt(static_cast<std::uint32_t>(v), layout_.channels()[vertices_[v].upward].to.id);
    for (const topology::NodeId n : group_.members)
      if (group_.reflect || n != group_.root_node) add_member(n);
    return std::move(vertices_);
  }

 private:
  static constexpr std::uint32_t kOpen = ~std::uint32_t{0};

  void add_top() {
    if (std::count(group_.members.begin(), group_.members.end(), group_.root_node) != 1)
      contradiction(group_, fmt::format("the root node n{} is not a member", group_.root_node));
    const SwitchId root_switch = find_root_switch();
    Vertex top;
    top.member = !group_.reflect;
    top.id = group_.reflect ? root_switch : group_.root_node;
    vertices_.push_back(top);
    if (group_.reflect) {
      vertex_of_[root_switch] = 0;
      return;
    }
    add_switch(root_switch, layout_.into_node(group_.root_node));
    vertices_[1].parent = 0;
    vertices_[0].children = 1;
  }

  /// Of a root that answers the switch of its node. A root that reflects may have no member: it is
  /// where an uplink leads that has none itself.
  SwitchId find_root_switch() const {
    const auto has_uplink = [&](SwitchId s) {
      return std::any_of(group_.uplinks.begin(), group_.uplinks.end(),
                         [&](const topology::PortRef& uplink) { return uplink.sw == s; });
    };
    for (const topology::PortRef& uplink : group_.uplinks) {
      if (!group_.reflect || uplink.port >= graph_.ports(uplink.sw)) continue;
      const topology::Peer& above = graph_.peer(uplink.sw, uplink.port);
      if (above.kind == topology::Peer::Kind::kSwitch && !has_uplink(above.id)) return above.id;
    }
    return graph_.node(group_.root_node).at.sw;
  }

  void add_switch(SwitchId s, ChannelId upward) {
    if (!vertex_of_.emplace(s, static_cast<std::uint32_t>(vertices_.size())).second)
      contradiction(group_, fmt::format("switch {} has two parents", s));
    Vertex vertex;
    vertex.upward = upward;
    vertex.parent = kOpen;
    vertex.id = s;
    vertices_.push_back(vertex);
  }

  void add_member(topology::NodeId n) {
    Vertex vertex;
    vertex.upward = layout_.into_switch(n);
    vertex.member = true;
    vertex.id = n;
    vertices_.push_back(vertex);
    adopt(static_cast<std::uint32_t>(vertices_.size() - 1), graph_.node(n).at.sw);
  }

  void adopt(std::uint32_t child, SwitchId parent) {
    const auto found = vertex_of_.find(parent);
    if (found == vertex_of_.end())
      contradiction(group_, fmt::format("switch {} is not part of it", parent));
    vertices_[child].parent = found->second;
    ++vertices_[found->second].children;
  }

  const Group& group_;
  const topology::Graph& graph_;
  const fabric::Layout& layout_;
  std::vector<Vertex> vertices_;
  std::map<SwitchId, std::uint32_t> vertex_of_;
};

}  // namespace

std::string label(const Vertex& vertex) {
  return fmt::format("{}{}", vertex.member ? "n" : "switch ", vertex.id);
}

std::vector<Vertex> barrier_tree(const Group& group, const topology::Graph& graph,
                                 const fabric::Layout& layout) {
  return Builder(group, graph, layout).build();
}

}  // namespace muster::checkers
