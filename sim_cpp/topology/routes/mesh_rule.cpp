// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/mesh_rule.hpp"

namespace muster::topology {

MeshRule::MeshRule(const Graph& graph)
    : SwitchRule(graph), width_(graph.mesh->width), links_(graph.switches()) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    links_[s].fill(0);
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      const Peer& peer = graph.peer(s, p);
      if (peer.kind == Peer::Kind::kSwitch) links_[s][way(s, peer.id)] |= 1u << p;
    }
  }
}

MeshRule::Way MeshRule::way(SwitchId s, SwitchId t) const {
  const std::uint32_t x = s % width_, y = s / width_, tx = t % width_, ty = t / width_;
  if (tx != x) return tx < x ? kLeft : kRight;
  return ty == y ? kHere : ty < y ? kBefore : kAfter;
}

SwitchId MeshRule::run_towards(SwitchId s, SwitchId t) const {
  const SwitchId row = t - t % width_;
  switch (way(s, t)) {
    case kLeft:
      return row + s % width_;
    case kRight:
      return row + width_;
    default:
      return t + 1;
  }
}

}  // namespace muster::topology
