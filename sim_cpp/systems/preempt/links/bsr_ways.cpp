// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/links/bsr_ways.hpp"

#include <cstdint>
#include <vector>

namespace muster::preempt {

using topology::SwitchId;

bool BsrWays::first_differ(const BsrTree& tree) const {
  const std::uint32_t center = graph_.nodes() + tree.center_switch;
  for (SwitchId s = 0; s < graph_.switches(); ++s)
    if (tree.switches[s].in_tree && before_.next_port(s, center) != next_.next_port(s, center))
      return true;
  return false;
}

bool BsrWays::later_differ(const BsrTree& tree) const {
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    const auto& parent = tree.switches[s].parent;
    if (parent && (meets(s, *parent) || meets(*parent, s))) return true;
  }
  return false;
}

/// Follows every bit of every mask that a message may meet.
bool BsrWays::meets(SwitchId from, SwitchId to) const {
  const std::uint32_t destination = graph_.nodes() + to;
  std::vector<std::uint8_t> seen(graph_.switches(), 0);
  std::vector<SwitchId> open{from};
  seen[from] = seen[to] = 1;
  while (!open.empty()) {
    const SwitchId at = open.back();
    open.pop_back();
    const std::uint32_t mask = before_.mask(at, destination);
    if (mask != next_.mask(at, destination)) return true;
    for (std::uint32_t p = 0; p < graph_.ports(at); ++p) {
      if ((mask >> p & 1) == 0) continue;
      const SwitchId next = graph_.peer(at, p).id;
      if (seen[next] != 0) continue;
      seen[next] = 1;
      open.push_back(next);
    }
  }
  return false;
}

}  // namespace muster::preempt
