// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/barrier_message.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::fabric {

/// What the host writes into one barrier register of one switch (docs/reference/registers.md).
///
/// At the root switch the parent port is the root node's: the root node sends no reduction
/// message, it is notified, and answers with the distribution message; so it is not in the child
/// mask. With `reflect` the root switch reflects by itself: the parent port is 0 and unused, and
/// the root node is a child like every member. `reflect` is set at the root switch only.
struct RegisterImage {
  topology::SwitchId sw = 0;      ///< that has the register
  std::uint32_t gid = 0;          ///< group
  bool reflect = false;           ///< at this switch
  std::uint32_t parent_port = 0;  ///< 0..63
  core::PortMask child_mask = 0;  ///< child switches and local member nodes, never 0
  ReduceOp op = ReduceOp::kOr;    ///< of the group
  friend bool operator==(const RegisterImage&, const RegisterImage&) = default;
};

/// Who writes the barrier registers of a switch that has no member of the group, from where each
/// switch accepts writes, and where it hands messages of groups without register. Settled at
/// start-up, the same for all groups.
struct HomeNodes {
  /// By switch: the node on its lowest port; of a switch without nodes that of the nearest switch
  /// that has one, the one with the least identifier among equals.
  std::vector<topology::NodeId> node;
  /// By switch: the ports of its nodes; without nodes the port where packets of its home node come
  /// in.
  std::vector<core::PortMask> permits;
  /// By switch: the port of its home node as a mask; 0 if that is a node of another switch.
  std::vector<core::PortMask> home_ports;
};

/// The permits that go with these homes when other routes are in force.
std::vector<core::PortMask> permits(const topology::Graph& graph, const topology::Routes& routes,
                                    const std::vector<topology::NodeId>& homes);

/// Throws InputError if the network has no node.
HomeNodes plan_home_nodes(const topology::Graph& graph, const topology::Routes& routes);

}  // namespace muster::fabric
