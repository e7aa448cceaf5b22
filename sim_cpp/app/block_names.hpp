// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/topology/graph.hpp"

namespace muster::app {

/// The switch written as "sw3" or "3". Throws InputError, which begins with `what`, the option, and
/// ends with `note` if `name` is no such word. The name of another switch is refused.
topology::SwitchId switch_named(const topology::Graph& graph, const std::string& name,
                                const std::string& what, const std::string& note = {});

/// The node written as a member of a group, "3:4" or "n17". Throws likewise.
topology::NodeId node_named(const topology::Graph& graph, const std::string& name,
                            const std::string& what);

}  // namespace muster::app
