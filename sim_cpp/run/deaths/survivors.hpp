// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/topology/graph.hpp"
#include "muster/topology/routes.hpp"

namespace muster::run {

/// What is left of a network.
struct Survivors {
  std::vector<std::uint8_t> switches;  ///< that live, by switch
  std::vector<std::uint8_t> links;     ///< that are up, as Graph::links
};

/// A message gets to the node and back to its switch: both answer, and the link is up.
bool answers(fabric::Network& network, topology::NodeId node);

/// What answers now, as hosts see it: switches whose registers can be read, links of which no end
/// says that it is down.
Survivors what_answers(fabric::Network& network);
/// An end of the link of this channel that lives says that the link is down.
bool is_down(fabric::Network& network, core::ChannelId channel);

/// The graph without the links that are lost and those of switches that do not live, with all its
/// switches and nodes.
topology::Graph rest_of(const topology::Graph& graph, const Survivors& left);

/// Routes around what is lost.
struct SurvivingRoutes {
  topology::Routes routes;
  bool by_file = false;  ///< by the levels of the network's file, else by new ones
};

/// up*/down* by the levels of the file, if each living switch with nodes reaches all others and the
/// neighbours of dead ones by them, else by levels of what is left, for every switch that lives. To
/// a dead switch and its nodes they lead to a neighbour and out of its port, behind which packets
/// are discarded. Rows of dead switches are those of `before`. Nothing if what lives is not
/// connected. Throws InternalError if they had a cycle of channel dependencies.
std::optional<SurvivingRoutes> surviving_routes(const topology::Graph& graph,
                                                const topology::Routes& before,
                                                const Survivors& left);

}  // namespace muster::run
