// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/checked_group.hpp"

namespace muster::btin {

checkers::Group checked_group(const PlannedGroup& planned) {
  checkers::Group group{
      planned.gid, planned.tree.members, planned.tree.root_node, planned.reflect, {}};
  for (const TreeEdge& edge : planned.tree.edges)
    group.uplinks.push_back({edge.child, edge.child_port});
  group.op = planned.op;
  return group;
}

}  // namespace muster::btin
