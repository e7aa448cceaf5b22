// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/scheme/binomial_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "muster/core/error.hpp"
#include "topology/files/member_list.hpp"

namespace muster::packets {

BinomialTree plan_binomial_tree(const topology::Graph& graph,
                                std::span<const topology::NodeId> members, topology::NodeId root) {
  BinomialTree tree;
  tree.members = topology::sorted_members(graph, members);
  const auto found = std::lower_bound(tree.members.begin(), tree.members.end(), root);
  if (found == tree.members.end() || *found != root)
    throw InputError(fmt::format("node {} cannot be the root: it is not a member", root));
  tree.root = static_cast<std::uint32_t>(found - tree.members.begin());
  const auto count = static_cast<std::uint32_t>(tree.members.size());
  tree.parent.assign(count, tree.root);
  tree.children.resize(count);

  std::vector<std::uint32_t> order(count);  // places
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return graph.node(tree.members[a]).at.sw < graph.node(tree.members[b]).at.sw;
  });
  std::rotate(order.begin(), std::find(order.begin(), order.end(), tree.root), order.end());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != 0) tree.parent[order[i]] = order[i & (i - 1)];
    // The farthest first: it has most to tell.
    const std::uint32_t limit = i == 0 ? std::bit_ceil(count) : i & -i;
    for (std::uint32_t step = limit / 2; step != 0; step /= 2)
      if (i + step < count) tree.children[order[i]].push_back(order[i + step]);
  }
  return tree;
}

}  // namespace muster::packets
