// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// What follows the number of a switch or node in messages: ` "spine-2"`, the name that the
/// network's file gives it, of up to 60 characters; nothing if it has none.
std::string label_of(const std::map<std::uint32_t, std::string>& names, std::uint32_t id);

/// "switch 3" with its label: `switch 3 "spine-2"`.
std::string switch_text(const Graph& graph, SwitchId sw);
/// "3:4" with its label: `3:4 "host17"`.
std::string node_text(const Graph& graph, NodeId node);
/// "n17" with its label: `n17 "host17"`.
std::string node_number_text(const Graph& graph, NodeId node);

}  // namespace muster::topology
