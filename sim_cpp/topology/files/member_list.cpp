// SPDX-License-Identifier: Apache-2.0
#include "topology/files/member_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::topology {

std::vector<topology::NodeId> sorted_members(const topology::Graph& graph,
                                             std::span<const topology::NodeId> members) {
  if (members.empty()) throw InputError("the group is empty; name at least one member node");
  std::vector<topology::NodeId> sorted(members.begin(), members.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.back() >= graph.nodes())
    throw InputError(
        fmt::format("the group names node {}, which does not exist; the network has {}",
                    sorted.back(), graph.nodes()));
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw InputError(fmt::format("the group names node {} twice; name it once", *twice));
  return sorted;
}

}  // namespace muster::topology
