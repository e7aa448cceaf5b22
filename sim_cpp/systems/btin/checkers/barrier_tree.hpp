// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/fabric/formats.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/fabric/reduce_op.hpp"
#include "muster/topology/graph.hpp"

namespace muster::checkers {

/// A barrier group and its tree, as planned.
struct Group {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  /// The member that sends the distribution message; if the root switch reflects, any member.
  topology::NodeId root_node = 0;
  bool reflect = false;  ///< the root switch reflects, which may have no member
  /// For every switch of the tree but the root switch: the port to its parent.
  std::vector<topology::PortRef> uplinks;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;  ///< on the data
};

/// A member or a switch of the tree, with the edge to its parent. Counts are of messages seen on
/// the links; in a correct run `down` <= `up` <= `down` + 1.
struct Vertex {
  static constexpr core::ChannelId kNoChannel = ~core::ChannelId{0};
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  core::ChannelId upward = kNoChannel;  ///< to the parent; the way back is upward ^ 1
  std::uint32_t parent = 0;
  std::uint32_t children = 0;
  bool member = false;                               ///< a node, not a switch
  std::uint32_t id = 0;                              ///< NodeId or SwitchId
  std::uint64_t up = 0;                              ///< reduction messages sent to the parent
  std::uint64_t down = 0;                            ///< distribution messages received from it
  std::uint64_t from_children = 0, to_children = 0;  ///< the same at the other end
  std::uint64_t ready_at = kNever;  ///< cycle of the last reduction message from a child
  std::uint64_t down_at = kNever;   ///< cycle of the last distribution message
  fabric::Payload combined;         ///< of the children's data since `up` last advanced
  fabric::Payload distributed;      ///< data of the last distribution message
};

/// "n3" or "switch 3".
std::string label(const Vertex& vertex);

/// Vertices of a group's tree. Vertex 0 is the top: the root switch if it reflects, else the
/// root node, whose only child is the root switch. It has no upward channel; its `down` counts the
/// barriers completed. Throws InternalError if the group contradicts the graph.
std::vector<Vertex> barrier_tree(const Group& group, const topology::Graph& graph,
                                 const fabric::Layout& layout);

}  // namespace muster::checkers
