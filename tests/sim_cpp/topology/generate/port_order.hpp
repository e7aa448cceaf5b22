// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>

#include "muster/topology/graph.hpp"

namespace muster::topology {

/// On every switch links take the lowest ports in order of the neighbour, nodes the next ones.
inline void check_port_order(const Graph& graph) {
  NodeId next_node = 0;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    Peer::Kind stage = Peer::Kind::kSwitch;
    SwitchId last = 0;
    for (const Peer& peer : graph.peers(s)) {
      if (peer.kind == Peer::Kind::kSwitch) {
        REQUIRE(stage == Peer::Kind::kSwitch);
        REQUIRE(peer.id >= last);
        last = peer.id;
      } else if (peer.kind == Peer::Kind::kNode) {
        REQUIRE(stage != Peer::Kind::kOpen);
        REQUIRE(peer.id == next_node++);
      }
      stage = peer.kind;
    }
  }
}

}  // namespace muster::topology
