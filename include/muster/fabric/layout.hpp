// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/topology/graph.hpp"

namespace muster::fabric {

/// One end of a channel: a switch port or a node.
struct End {
  bool node = false;       ///< else a switch port
  std::uint32_t id = 0;    ///< SwitchId or NodeId
  std::uint32_t port = 0;  ///< port of the switch; 0 for a node
  friend bool operator==(const End&, const End&) = default;
};

/// A channel is one direction of a link (or of a node's link): flits go from `from` to `to`,
/// credits the other way.
struct Channel {
  End from;                   ///< sender of flits
  End to;                     ///< receiver of flits
  std::uint32_t latency = 1;  ///< cycles from output register to input queue
};

/// All channels of a graph in a fixed order: for link l of the graph channels 2l (a to b) and 2l+1,
/// then for node n channels 2*links+2n (node to switch) and 2*links+2n+1 (switch to node).
class Layout {
 public:
  /// Of the graph as it is now.
  explicit Layout(const topology::Graph& graph);
  const std::vector<Channel>& channels() const { return channels_; }  ///< by ChannelId
  /// The channel from a node into its switch.
  core::ChannelId into_switch(topology::NodeId n) const { return first_node_channel_ + 2 * n; }
  /// The channel from a switch into its node.
  core::ChannelId into_node(topology::NodeId n) const { return first_node_channel_ + 2 * n + 1; }
  /// "3:0 -> 1:2", "3:4 -> n17"; with names of the network's file `3:4 "leaf-3" -> n17 "host17"`.
  std::string name(core::ChannelId channel) const;

 private:
  std::vector<Channel> channels_;
  std::map<topology::SwitchId, std::string> switch_names_;
  std::map<topology::NodeId, std::string> node_names_;
  core::ChannelId first_node_channel_;
};

}  // namespace muster::fabric
