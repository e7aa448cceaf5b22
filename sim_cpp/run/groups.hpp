// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "muster/run/members.hpp"
#include "muster/run/spec.hpp"
#include "muster/topology/graph.hpp"

namespace muster::run {

/// The center of group `g`, chosen as the run says.
topology::NodeId center_of(const RunSpec& spec, std::uint32_t g);

/// "; what: n3, n7", or nothing if there are no nodes.
std::string nodes_text(const topology::Graph& graph, const char* what,
                       std::span<const topology::NodeId> nodes);

/// Since when group `g`, of these nodes, makes no progress; `state` comes behind that, then the
/// members that have not arrived.
std::string stalled_text(const RunSpec& spec, const Members& members, std::uint32_t g,
                         std::span<const topology::NodeId> nodes, const std::string& state);

}  // namespace muster::run
