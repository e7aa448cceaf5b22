// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/layout.hpp"

#include <fmt/format.h>

#include "muster/topology/names.hpp"

namespace muster::fabric {

Layout::Layout(const topology::Graph& graph)
    : switch_names_(graph.switch_names),
      node_names_(graph.node_names),
      first_node_channel_(static_cast<core::ChannelId>(2 * graph.links().size())) {
  channels_.reserve(2 * (graph.links().size() + graph.nodes()));
  for (const auto& link : graph.links()) {
    const End a{false, link.a.sw, link.a.port}, b{false, link.b.sw, link.b.port};
    channels_.push_back({a, b, link.latency});
    channels_.push_back({b, a, link.latency});
  }
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
    const topology::Node& node = graph.node(n);
    const End inner{true, n, 0}, outer{false, node.at.sw, node.at.port};
    channels_.push_back({inner, outer, node.latency});
    channels_.push_back({outer, inner, node.latency});
  }
}

std::string Layout::name(core::ChannelId channel) const {
  const auto end = [&](const End& e) {
    return e.node ? fmt::format("n{}{}", e.id, topology::label_of(node_names_, e.id))
                  : fmt::format("{}:{}{}", e.id, e.port, topology::label_of(switch_names_, e.id));
  };
  return fmt::format("{} -> {}", end(channels_[channel].from), end(channels_[channel].to));
}

}  // namespace muster::fabric
